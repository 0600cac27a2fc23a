// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <fstream>

#include "bench/common/gnuplot.h"
#include "bench/magpie/figure.h"

namespace wan::bench {
namespace {

constexpr int kPanelWidth = 560, kHeight = 400;

/// The points of one panel and number of clusters.
using Group = std::vector<const Point*>;

Group group_of(std::span<const Point> points, Bytes bytes, int clusters) {
  Group group;
  for (const Point& point : points) {
    if (point.bytes == bytes && point.clusters == clusters) group.push_back(&point);
  }
  return group;
}

/// In milliseconds, or seconds where there is no bound: applications.
double scaled(const Figure& figure, Nanoseconds time) {
  return static_cast<double>(time) / (figure.collective.empty() ? 1e9 : 1e6);
}

/// One index of gnuplot's data: processes, bound, each peer's time.
std::string group_data(const Figure& figure, const Group& group, const std::vector<std::string>& peers) {
  std::string data;
  for (const Point* point : group) {
    data += std::to_string(point->processes);
    data += point->bound_ns == 0 ? " NaN" : fmt::format(" {:.6f}", scaled(figure, point->bound_ns));
    for (const std::string& peer : peers) {
      const Summary* const summary = point->of(peer);
      data += summary == nullptr ? " NaN" : fmt::format(" {:.6f}", scaled(figure, summary->median_ns));
    }
    data += "\n";
  }
  return data + "\n\n";
}

std::string panel_title(const Figure& figure, Bytes bytes) {
  if (bytes == 0) return figure.title;
  return fmt::format("{}, {}", figure.title, bytes == 1 ? "1 byte" : fmt::format("{} KiB", bytes / 1024));
}

/// The bars of one group, from `at` on.
std::string group_script(const std::string& data, int index, int clusters, int at,
                         const std::vector<std::string>& peers) {
  std::string script =
      fmt::format("newhistogram '{} cluster{}' at {}", clusters, clusters == 1 ? "" : "s", at);
  for (std::size_t i = 0; i < peers.size(); ++i) {
    script += fmt::format(", '{}' index {} using {}:xtic(1) lc rgb '{}' {}", data, index, i + 3, color(i),
                          at == 0 ? "title '" + peers[i] + "'" : "notitle");
  }
  return script;
}

/// The bounds of one group, as strokes over its bars.
std::string bound_script(const Figure& figure, const std::string& data, int index, int at) {
  if (figure.collective.empty()) return "";
  return fmt::format(", '{}' index {} using ($0+{}):2:(0.42) with xerrorbars pt 0 lw 2 lc rgb 'black' {}",
                     data, index, at, at == 0 ? "title 'lower bound'" : "notitle");
}

}  // namespace

std::vector<std::string> draw_figure(const Figure& figure, std::span<const Point> points,
                                     const std::vector<std::string>& peers, const std::string& directory) {
  const std::string path = fmt::format("{}/figure-{}", directory, figure.number), data_path = path + ".dat";
  const int group_width = static_cast<int>(figure.processes.size()) + 1;
  std::string data, panels;
  int index = 0;
  for (const Bytes bytes : figure.sizes) {
    std::string bars, bounds;
    int at = 0;
    for (const int clusters : figure.clusters) {
      data += group_data(figure, group_of(points, bytes, clusters), peers);
      bars += (at == 0 ? "" : ", ") + group_script(data_path, index, clusters, at, peers);
      bounds += bound_script(figure, data_path, index++, at);
      at += group_width;
    }
    panels +=
        fmt::format("set title {} noenhanced\nplot {}{}\n", quoted(panel_title(figure, bytes)), bars, bounds);
  }
  std::ofstream(data_path) << data;
  const std::string script = fmt::format(
      "set multiplot layout 1,{}\nset style data histograms\nset style histogram clustered gap 1 title "
      "offset 0,0.3\n"
      "set style fill solid 1.0 noborder\nset yrange [0:*]\nset grid y lc rgb '#e0e0e0'\nset tics nomirror\n"
      "set xtics scale 0\nset border 3\nset key outside top center horizontal reverse Left noenhanced\n"
      "set xlabel 'processes' offset 0,-1\nset bmargin 5\nset ylabel '{}'\n{}unset multiplot\nreset\n",
      figure.sizes.size(), figure.collective.empty() ? "run time (s)" : "completion time (ms)", panels);
  return draw({path, script, kPanelWidth * static_cast<int>(figure.sizes.size()), kHeight});
}

}  // namespace wan::bench
