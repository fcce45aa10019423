#include "report/text/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/printable.h"
#include "report/text/location_text.h"
#include "report/text/table_rows.h"

namespace snarl::report {
namespace {

constexpr size_t kMaxRows = 40;  // about one screen
constexpr size_t kMaxColumns = 6;
constexpr size_t kMinColumn = 12;  // "bank.cc:1234" fits
constexpr size_t kSeparator = 3;   // " | "
constexpr const char* kPreempted = ">> preempted by policy";

struct Cell {
  std::string text, place, note;
};

Cell cell_of(const DocumentRow& row) {
  const bool stops = !row.reason.empty() || !row.granted;
  const std::string mark = row.operation == "fail" ? "!! " : stops ? ">> " : "";
  return {mark + row.text, place_text(row.place), row.note.empty() ? "" : "(" + row.note + ")"};
}

class Column {
 public:
  explicit Column(const DocumentThread& thread) : ordinal_(thread.ordinal), title_(thread.name) {
    if (!thread.label.empty() && thread.label != thread.name) title_ += " " + thread.label;
    width_ = columns(thread.name);
  }

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
    std::vector<std::string> result = {columns(cell.text) <= width_ ? cell.text
                                                                    : shortened(in_short(cell.text), width_)};
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
  // The mark and what happens, without by whom: ">> preempted".
  static std::string in_short(const std::string& text) { return text == kPreempted ? text.substr(0, 12) : text; }

  uint32_t ordinal_;
  std::string title_;
  size_t text_width_ = 0;  // places stand below each other behind it
  size_t rest_ = 0;
  size_t width_ = 0;
};

class Table {
 public:
  Table(const FindingDocument& finding, size_t width, const Paint& paint)
      : finding_(finding), width_(width), paint_(paint) {
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
    for (const DocumentThread* thread : threads_) columns_.emplace_back(*thread);
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
  Cell cell_at(const DocumentRow& row) const {
    Cell cell = cell_of(row);
    if (!file_.empty() && cell.place.starts_with(file_ + ":")) cell.place.erase(0, file_.size());
    return cell;
  }
  size_t column_of(const DocumentRow& row) const {
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

  void add(const DocumentRow& row) {
    const bool stops = !row.reason.empty() || !row.granted;
    const Color color = row.operation == "fail" || (!row.granted && row.reason.empty()) ? Color::kRed
                        : stops                                                         ? Color::kYellow
                                                                                        : Color::kNone;
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
    for (const DocumentThread& thread : finding_.threads) {
      const bool shown = std::ranges::find(threads_, &thread) != threads_.end();
      const bool runs = std::ranges::find(finding_.rows, thread.ordinal, &DocumentRow::thread) != finding_.rows.end();
      if (runs && !shown) names += (names.empty() ? "" : ", ") + thread.name;
    }
    if (!names.empty()) out_ += " " + shortened("Not shown: " + names, width_ - 1) + "\n";
  }

  const FindingDocument& finding_;
  size_t width_;
  const Paint& paint_;
  size_t step_width_ = 4;
  bool spill_ = false;
  std::string file_;  // that all places share; empty: each says its own
  std::vector<const DocumentThread*> threads_;
  std::vector<TableRow> rows_;
  std::vector<Column> columns_;
  std::string out_;
};

}  // namespace

std::string schedule_table(const FindingDocument& finding, size_t width, const Paint& paint) {
  return finding.rows.empty() ? "" : Table(finding, width, paint).text();
}

}  // namespace snarl::report
