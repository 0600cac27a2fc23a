// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "bench/collectives/table.h"
#include "bench/common/gnuplot.h"

namespace wan::bench {
namespace {

constexpr int kPanelColumns = 4;
constexpr std::size_t kFewestSizes = 3;  ///< of a plot over size

using Group = std::vector<const Comparison*>;

/// Writes the data that the picture's script reads; appends the paths of the pictures that came out.
void render(const Picture& picture, const std::string& data, std::vector<std::string>& made) {
  std::ofstream(picture.path + ".dat") << data;
  for (std::string& path : draw(picture)) made.push_back(std::move(path));
}

/// gnuplot's enhanced text would make subscripts of underscores.
std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('_', at)) != text.npos; at += 3) text.replace(at, 1, "\\\\_");
  return text;
}

std::string bars_data(const Group& group, const std::vector<std::string>& peers) {
  std::string data = "collective";
  for (const std::string& peer : peers) data += " " + peer;
  for (const Comparison* comparison : group) {
    data += "\n" + quoted(escaped(label(comparison->cell)));
    for (const std::string& peer : peers) {
      const auto ratio = comparison->in_bounds(peer);
      data += ratio ? fmt::format(" {:.4f}", *ratio) : " NaN";
    }
  }
  return data + "\n";
}

std::string bars_script(const std::string& path, const std::vector<std::string>& peers,
                        const std::string& title) {
  std::string script = fmt::format(
      "set title {} noenhanced\nset style data histograms\nset style histogram clustered gap 1.5\n"
      "set style fill solid 1.0 noborder\nset boxwidth 1.0\nset ylabel 'multiples of the lower bound'\n"
      "set yrange [0:*]\nset grid y lc rgb '#e0e0e0'\nset ytics nomirror\nset border 3\nset rmargin 12\n"
      "set xtics rotate by -35 nomirror scale 0\nset key outside top center horizontal reverse Left "
      "noenhanced\nplot ",
      quoted(title));
  for (std::size_t i = 0; i < peers.size(); ++i) {
    script += fmt::format("'{}.dat' skip 1 using {}:xtic(1) lc rgb '{}' title '{}', ", path, i + 2, color(i),
                          peers[i]);
  }
  return script + "1 with lines lc rgb 'black' dt 2 title 'bound'";
}

void draw_bars(const Group& group, const std::vector<std::string>& peers, const std::string& title,
               const std::string& path, std::vector<std::string>& made) {
  const int width = 220 + 60 * static_cast<int>(group.size());
  render({path, bars_script(path, peers, title), width, 480}, bars_data(group, peers), made);
}

/// One index of gnuplot's data: bytes, bound and each peer's time, in seconds.
std::string panel_data(const Group& group, const std::vector<std::string>& peers) {
  std::string data;
  for (const Comparison* comparison : group) {
    data += fmt::format("{} {:.9f}", comparison->cell.bytes, static_cast<double>(comparison->bound_ns) / 1e9);
    for (const std::string& peer : peers) {
      const Summary* summary = comparison->of(peer);
      data += summary ? fmt::format(" {:.9f}", static_cast<double>(summary->median_ns) / 1e9) : " NaN";
    }
    data += "\n";
  }
  return data + "\n\n";
}

/// Of a panel's axes: a little around its data.
std::string ranges(const Group& group) {
  const auto [least, most] =
      std::ranges::minmax(group, {}, [](const Comparison* each) { return each->cell.bytes; });
  const Nanoseconds bound = std::ranges::min(group, {}, &Comparison::bound_ns)->bound_ns;
  return fmt::format("set xrange [{}:{}]\nset yrange [{:.9f}:*]\n",
                     0.5 * static_cast<double>(least->cell.bytes), 2 * static_cast<double>(most->cell.bytes),
                     0.6e-9 * static_cast<double>(bound));
}

std::string panel_script(const std::string& path, std::size_t index, const std::vector<std::string>& peers,
                         const std::string& title) {
  std::string script = fmt::format(
      "set title {}\nplot '{}.dat' index {} using 1:2 with lines lw 2 lc rgb 'black' dt 2 title 'bound'",
      quoted(escaped(title)), path, index);
  for (std::size_t i = 0; i < peers.size(); ++i) {
    script += fmt::format(", '' index {} using 1:{} with linespoints pt 7 ps 0.6 lw 2 lc rgb '{}' title '{}'",
                          index, i + 3, color(i), peers[i]);
  }
  return script + "\nunset key\n";
}

void draw_sizes(const std::map<std::string, Group>& panels, const std::vector<std::string>& peers,
                const std::string& title, const std::string& path, std::vector<std::string>& made) {
  const int number = static_cast<int>(panels.size());
  const int columns = std::min(number, kPanelColumns), rows = (number + columns - 1) / columns;
  Picture picture{path, "", 300 * columns, 60 + 250 * rows};
  picture.script = fmt::format(
      "set multiplot layout {},{} title {} noenhanced\nset logscale xy\nset format x '%.0s%cB'\nset format y "
      "'%.0s%cs'\n"
      "set grid lc rgb '#e0e0e0'\nset key top left noenhanced\nset xtics rotate by -35\n"
      "set tics nomirror\nset border 3\n",
      rows, columns, quoted(title));
  std::string data;
  std::size_t index = 0;
  for (const auto& [name, group] : panels) {
    data += panel_data(group, peers);
    picture.script += ranges(group) + panel_script(path, index++, peers, name);
  }
  picture.script += "unset multiplot\nreset\n";
  render(picture, data, made);
}

bool is_barrier(const Comparison& comparison) {
  return comparison.cell.collective == Collective::barrier;
}

/// The sizes that a form was run at; a barrier has none of its own.
std::set<Bytes> sizes_of(const Group& group) {
  std::set<Bytes> sizes;
  for (const Comparison* comparison : group) {
    if (!is_barrier(*comparison)) sizes.insert(comparison->cell.bytes);
  }
  return sizes.empty() ? std::set<Bytes>{0} : sizes;
}

/// The cells of one size, and the barrier.
Group with_size(const Group& group, Bytes bytes) {
  Group chosen;
  for (const Comparison* comparison : group) {
    if (comparison->cell.bytes == bytes || is_barrier(*comparison)) chosen.push_back(comparison);
  }
  return chosen;
}

/// One group a collective and root.
std::map<std::string, Group> panels_of(const Group& group) {
  std::map<std::string, Group> panels;
  for (const Comparison* comparison : group) {
    if (!is_barrier(*comparison)) panels[label(comparison->cell)].push_back(comparison);
  }
  return panels;
}

void draw_form(Form form, const Group& group, const std::vector<std::string>& peers, const std::string& title,
               const std::string& directory, std::vector<std::string>& made) {
  const std::set<Bytes> sizes = sizes_of(group);
  for (Bytes bytes : sizes) {
    draw_bars(with_size(group, bytes), peers, fmt::format("{}, {}, {} bytes", title, name(form), bytes),
              fmt::format("{}/bars-{}-{}", directory, name(form), bytes), made);
  }
  if (sizes.size() < kFewestSizes) return;
  draw_sizes(panels_of(group), peers, fmt::format("{}, {}", title, name(form)),
             fmt::format("{}/sizes-{}", directory, name(form)), made);
}

}  // namespace

std::vector<std::string> draw(std::span<const Comparison> comparisons, const std::vector<std::string>& peers,
                              const std::string& title, const std::string& directory) {
  std::map<Form, Group> forms;
  for (const Comparison& comparison : comparisons)
    if (!comparison.is_overlapped())
      forms[comparison.cell.form].push_back(&comparison);  // which has no bound
  std::vector<std::string> made;
  for (const auto& [form, group] : forms) draw_form(form, group, peers, title, directory, made);
  return made;
}

}  // namespace wan::bench
