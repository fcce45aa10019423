#include "figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "policy/catalog.h"
#include "policy/speed_vector.h"
#include "statistics.h"

namespace snarl::bench {
namespace {

constexpr int kWidth = 220, kHeight = 120, kLeft = 40, kTop = 24;  // of a plot, and where its axes meet
constexpr const char *kSpeedColour = "#1f6fb4", *kPctColour = "#c0392b";

struct Point {
  double x, y;
};

std::string line(const std::vector<Point>& points, const char* style) {
  std::string text = "<polyline points=\"";
  for (const Point& p : points) text += fmt::format("{:.1f},{:.1f} ", p.x, p.y);
  return text + fmt::format("\" {}/>\n", style);
}

// Axes, their names, and a scale for both.
class Plot {
 public:
  Plot(int x, int y, const std::string& title, double most) : x_(x + kLeft), y_(y + kTop), most_(std::max(most, 1.)) {
    text_ = fmt::format(
        "<text x=\"{}\" y=\"{}\">{}</text>\n<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
        "fill=\"none\" stroke=\"#888\"/>\n<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{:.0f}</text>\n",
        x_, y_ - 6, title, x_, y_, kWidth - kLeft, kHeight - kTop, x_ - 4, y_ + 8, most_);
  }
  Point at(size_t run, double value) const {
    return {x_ + static_cast<double>(run) * (kWidth - kLeft) / (kRuns - 1),
            y_ + (kHeight - kTop) * (1 - value / most_)};
  }
  void draw(const std::string& more) { text_ += more; }
  const std::string& text() const { return text_; }

 private:
  double x_, y_, most_;
  std::string text_;
};

std::string pairs_of_runs(const Plot& plot, const std::vector<int>& pairs, const char* colour) {
  std::vector<Point> points;
  for (size_t i = 0; i < pairs.size(); ++i) points.push_back(plot.at(i, pairs[i]));
  return line(points, fmt::format("fill=\"none\" stroke=\"{}\"", colour).c_str());
}

std::string band_of(const Plot& plot, const Curves& curves, const char* colour) {
  std::vector<Point> middle, low, high;
  for (size_t i = 0; i < kRuns; ++i) {
    std::vector<double> values;
    for (const auto& round : curves.cumulated) values.push_back(round[i]);
    const Quartiles q = quartiles_of(values);
    middle.push_back(plot.at(i, q.median));
    low.push_back(plot.at(i, q.low));
    high.push_back(plot.at(i, q.high));
  }
  high.insert(high.end(), low.rbegin(), low.rend());
  return line(high, fmt::format("fill=\"{}\" fill-opacity=\"0.2\" stroke=\"none\"", colour).c_str()) +
         line(middle, fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\"", colour).c_str());
}

int most_of(const std::vector<std::vector<int>>& rounds) {
  int most = 0;
  for (const auto& round : rounds) most = std::max(most, *std::max_element(round.begin(), round.end()));
  return most;
}

std::string svg(int width, int height, const std::string& body) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" "
      "font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}</svg>\n",
      width, height, body);
}

void add_rows(std::string& text, const std::string& subject, const char* policy, const Curves& curves) {
  for (size_t round = 0; round < curves.each.size(); ++round)
    for (size_t run = 0; run < curves.each[round].size(); ++run)
      text += fmt::format("{},{},{},{},{},{}\n", subject, policy, round + 1, run + 1, curves.each[round][run],
                          curves.cumulated[round][run]);
}

}  // namespace

std::vector<double> totals_of(const Curves& curves) {
  std::vector<double> totals;
  for (const auto& round : curves.cumulated) totals.push_back(round.back());
  return totals;
}

std::string csv_of(const std::vector<Subject>& subjects) {
  std::string text = "subject,policy,round,run,pairs,cumulated\n";
  for (const Subject& subject : subjects) {
    add_rows(text, subject.name, "speed", subject.speed);
    add_rows(text, subject.name, "pct", subject.pct_pairs);
  }
  return text;
}

std::string plot_of(const std::vector<Subject>& subjects) {
  std::string body = fmt::format(
      "<text x=\"40\" y=\"14\"><tspan fill=\"{}\">speed</tspan>, <tspan fill=\"{}\">pct (d = 3)</tspan>: race "
      "statement "
      "pairs by run</text>\n",
      kSpeedColour, kPctColour);
  for (size_t i = 0; i < subjects.size(); ++i) {
    const Subject& s = subjects[i];
    const int y = 20 + static_cast<int>(i) * (kHeight + 16);
    Plot left(0, y, s.name + ": each run of a round", std::max(most_of(s.speed.each), most_of(s.pct_pairs.each)));
    left.draw(pairs_of_runs(left, s.speed.each[0], kSpeedColour) +
              pairs_of_runs(left, s.pct_pairs.each[0], kPctColour));
    Plot right(kWidth + 30, y, "cumulated: median, quartiles",
               std::max(most_of(s.speed.cumulated), most_of(s.pct_pairs.cumulated)));
    right.draw(band_of(right, s.speed, kSpeedColour) + band_of(right, s.pct_pairs, kPctColour));
    body += left.text() + right.text();
  }
  return svg(2 * kWidth + 60, 30 + static_cast<int>(subjects.size()) * (kHeight + 16), body);
}

// A cube seen from the front and above: the third speed goes back.
std::string samples_plot() {
  const auto project = [](double a, double b, double c) {
    return Point{30 + 150 * a + 70 * c, 260 - 150 * b - 70 * c};
  };
  std::string body;
  const double ends[] = {0, 1};
  for (double a : ends)
    for (double b : ends)
      body += line({project(a, b, 0), project(a, b, 1)}, "stroke=\"#bbb\" fill=\"none\"") +
              line({project(a, 0, b), project(a, 1, b)}, "stroke=\"#bbb\" fill=\"none\"") +
              line({project(0, a, b), project(1, a, b)}, "stroke=\"#bbb\" fill=\"none\"");
  alignas(16) char memory[4096];
  for (uint64_t turn = 0; turn < 14; ++turn) {
    snarl::Run run;
    run.key = {.seed = 1, .index = turn, .turn = turn, .profile = {.threads = 3}};
    run.key.policy = policy::default_spec(policy::policy_catalog()[static_cast<size_t>(policy::policy_named("speed"))]);
    Arena arena(memory, sizeof memory);
    policy::SpeedVector vector;
    vector.begin(run, arena);
    const Point p = project(vector.of(0, 0), vector.of(1, 1), vector.of(2, 2));
    const Point foot = project(vector.of(0, 0), vector.of(1, 1), 0);
    body += line({foot, p}, "stroke=\"#1f6fb4\" stroke-dasharray=\"2,2\" fill=\"none\"") +
            fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"#c0392b\"/>\n", p.x, p.y);
  }
  body +=
      "<text x=\"100\" y=\"278\">speed of main</text><text x=\"2\" y=\"100\">T1</text><text x=\"236\" "
      "y=\"236\">T2 (drawn)</text>\n";
  return svg(310, 290, body);
}

}  // namespace snarl::bench
