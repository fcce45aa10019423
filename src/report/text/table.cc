#include "report/text/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "report/printable.h"
#include "report/text/act_words.h"
#include "report/text/finding_words.h"
#include "report/text/location_text.h"
#include "report/text/row_words.h"
#include "report/text/table_rows.h"
#include "report/text/thread_words.h"
#include "report/thread_name.h"

namespace snarl::report {
namespace {

constexpr size_t kMaxRows = 40;  // about one screen
constexpr size_t kMaxColumns = 6;
constexpr size_t kMinColumn = 12;  // "bank.cc:1234" fits
constexpr size_t kSeparator = 3;   // " | "

struct Cell {
  std::string text, place, note;
  std::string in_short;  // what happens, without by whom
};

class Column {
 public:
  explicit Column(const FindingThread& thread)
      : ordinal_(thread.ordinal), title_(thread_title(thread)), width_(columns(thread_name(thread.ordinal))) {}

  // Learns the widths of a row that will stand here.
  void measure(const Cell& cell) {
    const std::string rest = joined("", cell);
    if (!cell.place.empty()) text_width_ = std::max(text_width_, columns(cell.text));
    if (!rest.empty()) rest_ = std::max(rest_, columns(rest));
    width_ = std::max({width_, columns(cell.text), rest_ == 0 ? 0 : text_width_ + rest_});
  }
  void fit_title(size_t room) { width_ = std::max(width_, std::min(columns(title_), room)); }

  // The cell in lines of at most the column's width.
  std::vector<std::string> lines(const Cell& cell) const {
    const std::string rest = joined("", cell);
    const std::string one = rest.empty() ? cell.text : padded(cell.text, text_width_) + rest;
    if (columns(one) <= width_) return {one};
    std::vector<std::string> result = {columns(cell.text) <= width_ ? cell.text : shortened(cell.in_short, width_)};
    for (const std::string& piece : {cell.place, cell.note}) append(result, piece);
    return result;
  }

  uint32_t ordinal() const { return ordinal_; }
  std::string title() const { return shortened(title_, width_); }
  size_t width() const { return width_; }
  void limit(size_t width) { width_ = std::min(width_, width); }

 private:
  static std::string joined(std::string text, const Cell& cell) {
    for (const std::string& piece : {cell.place, cell.note})
      if (!piece.empty()) text += "  " + piece;
    return text;
  }
  void append(std::vector<std::string>& lines, const std::string& piece) const {
    if (piece.empty()) return;
    const size_t used = columns(lines.back()) + columns(piece);
    if (used + 1 <= width_)
      lines.back() += (used + 2 <= width_ ? "  " : " ") + piece;
    else
      lines.push_back((columns(piece) + 2 <= width_ ? "  " : "") + shortened(piece, width_));
  }

  uint32_t ordinal_;
  std::string title_;
  size_t text_width_ = 0;  // places stand below each other behind it
  size_t rest_ = 0;
  size_t width_ = 0;
};

class Table {
 public:
  Table(const Finding& finding, size_t width, const Paint& paint)
      : finding_(finding), words_(finding.objects), headline_(headline_of(finding)), width_(width), paint_(paint) {
    step_width_ = std::max<size_t>(4, grouped(finding.steps).size());
    const size_t fit = (width - step_width_ - 1) / (kMinColumn + kSeparator);
    threads_ = table_threads(finding, std::clamp<size_t>(fit, 1, kMaxColumns));
    rows_ = table_rows(finding, threads_, kMaxRows);
    measure();
    spill_ = total() > room();
    if (spill_) measure();
    if (total() > room()) file_ = common_file();
    if (!file_.empty()) measure();
    if (total() < room())
      for (Column& column : columns_) column.fit_title(column.width() + room() - total());
    for (size_t cap = room(); total() > room() && cap >= kMinColumn; --cap)
      for (Column& column : columns_) column.limit(cap);
  }

  std::string text() {
    if (threads_.empty()) return "";
    header();
    for (const TableRow& row : rows_) row.row == nullptr ? gap(row.skipped) : add(*row.row);
    footnote();
    return std::move(out_);
  }

 private:
  void measure() {
    columns_.clear();
    for (const FindingThread* thread : threads_) columns_.emplace_back(*thread);
    for (const TableRow& row : rows_) {
      const size_t c = row.row == nullptr ? columns_.size() : column_of(*row.row);
      if (c == columns_.size()) continue;
      Cell cell = cell_at(*row.row);
      if (spills(c)) cell.note.clear();
      columns_[c].measure(cell);
    }
  }
  // Where there is very little room, a file that all places share is named once, above.
  std::string common_file() const {
    std::string file;
    for (const TableRow& row : rows_) {
      const std::string place = row.row == nullptr ? "" : place_text(row.row->place);
      const std::string here = place.substr(0, place.rfind(':'));
      if (place.empty()) continue;
      if (here.size() == place.size() || (!file.empty() && here != file)) return "";
      file = here;
    }
    return file;
  }
  Cell cell_at(const FindingRow& row) const {
    const RowWords words = words_of(row, words_, headline_);
    const bool preempted = row.kind == RowKind::kSwitch && row.reason == Reason::kPreempted;
    Cell cell{.text = mark_of(row) + words.text,
              .place = place_text(row.place),
              .note = words.note.empty() ? "" : "(" + words.note + ")"};
    cell.in_short = preempted ? std::string(mark_of(row)) + name_of(row.reason) : cell.text;
    if (!file_.empty() && cell.place.starts_with(file_ + ":")) cell.place.erase(0, file_.size());
    return cell;
  }
  size_t column_of(const FindingRow& row) const {
    const auto found = std::ranges::find(columns_, row.thread, &Column::ordinal);
    return static_cast<size_t>(found - columns_.begin());
  }
  // Where there is little room, notes stand in the empty cell of the next column.
  bool spills(size_t column) const { return spill_ && column + 1 < columns_.size(); }
  size_t room() const { return width_ - step_width_ - 1 - kSeparator * columns_.size(); }
  size_t total() const {
    return std::accumulate(columns_.begin(), columns_.end(), size_t{0},
                           [](size_t sum, const Column& c) { return sum + c.width(); });
  }

  void header() {
    std::vector<std::string> titles;
    for (const Column& column : columns_) titles.push_back(column.title());
    if (!file_.empty()) out_ += " " + shortened("(:line is a line of " + file_ + ")", width_ - 1) + "\n";
    line("step", titles, Color::kBold);
  }

  void add(const FindingRow& row) {
    const Color color = is_step(row) ? Color::kNone : row.kind == RowKind::kSwitch ? Color::kYellow : Color::kRed;
    const size_t c = column_of(row);
    Cell cell = cell_at(row);
    std::string next;
    if (spills(c) && columns(cell.note) <= columns_[c + 1].width()) next = std::exchange(cell.note, "");
    std::string step = row.step == 0 ? "" : grouped(row.step);
    for (const std::string& part : columns_[c].lines(cell)) {
      std::vector<std::string> cells(columns_.size());
      cells[c] = part;
      if (!next.empty()) cells[c + 1] = std::exchange(next, "");
      line(std::exchange(step, ""), cells, color);
    }
  }

  void line(const std::string& step, const std::vector<std::string>& cells, Color color) {
    std::string text = " " + padded_left(step, step_width_);
    for (size_t c = 0; c < cells.size(); ++c) {
      const bool last = c + 1 == cells.size();
      const std::string fill(last ? 0 : columns_[c].width() - columns(cells[c]), ' ');
      text += last && cells[c].empty() ? " |" : " | " + paint_(color, cells[c]) + fill;
    }
    out_ += text + "\n";
  }

  void gap(uint64_t steps) {
    out_ += paint_(Color::kDim,
                   fmt::format(" {} | ... {}", std::string(step_width_, ' '), counted(steps, "step", "steps")));
    out_ += "\n";
  }

  void footnote() {
    std::string names;
    for (const FindingThread& thread : finding_.threads) {
      const bool shown = std::ranges::find(threads_, &thread) != threads_.end();
      const bool runs = std::ranges::find(finding_.rows, thread.ordinal, &FindingRow::thread) != finding_.rows.end();
      if (runs && !shown) names += (names.empty() ? "" : ", ") + thread_name(thread.ordinal);
    }
    if (!names.empty()) out_ += " " + shortened("Not shown: " + names, width_ - 1) + "\n";
  }

  const Finding& finding_;
  ActWords words_;
  std::string headline_;
  size_t width_;
  const Paint& paint_;
  size_t step_width_ = 4;
  bool spill_ = false;
  std::string file_;  // that all places share; empty: each says its own
  std::vector<const FindingThread*> threads_;
  std::vector<TableRow> rows_;
  std::vector<Column> columns_;
  std::string out_;
};

}  // namespace

std::string schedule_table(const Finding& finding, size_t width, const Paint& paint) {
  return finding.rows.empty() ? "" : Table(finding, width, paint).text();
}

}  // namespace snarl::report
