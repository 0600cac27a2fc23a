// SPDX-License-Identifier: BSD-3-Clause
#include "tools/tree_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/index.h"
#include "tools/svg.h"

namespace wan::tools {
namespace {

// Pixels.
constexpr double kRadius = 11, kPitch = 30, kLevel = 46, kHostGap = 12, kPadding = 14, kSiteGap = 36;
constexpr double kMargin = 24, kTitle = 74, kLabel = 20, kHostLabel = 10, kLeastMiddle = 150, kLeastSite = 90;

struct Point {
  double x = 0, y = 0;
};

struct Box {
  double left = 0, right = 0, top = 0, bottom = 0;
  double middle() const { return (left + right) / 2; }
};

struct HostBox {
  std::string name;
  Box box;
};

/// A site, its coordinator's row at y = 0 and the others below it, its left edge at x = 0.
struct SitePlan {
  std::map<Rank, Point> ranks;
  std::vector<HostBox> hosts;
  double width = 0, height = 0;
};

/// Lays out one site: host by host from left to right, in each host a rank above what is below it.
class SiteLayout {
 public:
  SiteLayout(const Layout& layout, const Tree& tree, const std::vector<std::string>& names)
      : layout_(layout), tree_(tree), names_(names) {}

  SitePlan make() {
    measure(tree_.root(), 0);
    for (const Rank first : roots_of_hosts_) place_host(first);
    for (const auto& [rank, point] : plan_.ranks) plan_.height = std::max(plan_.height, point.y + kRadius);
    plan_.width = std::max(left_ - kHostGap + kPadding, kLeastSite);
    plan_.height += kPadding + kHostLabel + kLabel;
    return std::move(plan_);
  }

 private:
  std::int32_t host_of(Rank rank) const { return layout_.levels() > 0 ? layout_.group_of(0, rank) : 0; }

  /// Depths, and which ranks are met first on each host, in preorder.
  void measure(Rank rank, int depth) {
    depth_[rank] = depth;
    if (tops_[host_of(rank)].empty()) roots_of_hosts_.push_back(rank);
    const auto parent = tree_.parent_of(rank);
    if (!parent || host_of(*parent) != host_of(rank)) tops_[host_of(rank)].push_back(rank);
    for (const Rank child : tree_.children_of(rank)) measure(child, depth + 1);
  }

  void place_host(Rank first) {
    const std::int32_t host = host_of(first);
    const double left = left_;
    deepest_ = 0;
    for (const Rank top : tops_[host]) place(top);
    const double top = kPadding + kLabel + depth_[first] * kLevel - kRadius - 6;
    plan_.hosts.push_back(
        {names_[at(first)], {left - 6, left_ + 6, top, kPadding + kLabel + deepest_ * kLevel + kRadius + 6}});
    left_ += kHostGap + 6;
  }

  /// A rank in the middle above its children on the same host; the place's x.
  double place(Rank rank) {
    std::vector<double> xs;
    for (const Rank child : tree_.children_of(rank))
      if (host_of(child) == host_of(rank)) xs.push_back(place(child));
    if (xs.empty()) {
      xs.push_back(left_ + kPitch / 2);
      left_ += kPitch;
    }
    deepest_ = std::max(deepest_, depth_[rank]);
    const double x = (xs.front() + xs.back()) / 2;
    plan_.ranks[rank] = {x, kPadding + kLabel + depth_[rank] * kLevel};
    return x;
  }

  const Layout& layout_;
  const Tree& tree_;
  const std::vector<std::string>& names_;
  std::map<Rank, int> depth_;
  std::vector<Rank> roots_of_hosts_;
  std::map<std::int32_t, std::vector<Rank>> tops_;  ///< of each host: ranks whose parents are elsewhere
  double left_ = kPadding + 6;
  int deepest_ = 0;
  SitePlan plan_;
};

struct Flow {
  std::int64_t messages = 0;
  Count units = 0;
};
using Flows = std::map<std::pair<Rank, Rank>, Flow>;

Flows flows_of(const Schedule& schedule) {
  Flows flows;
  for (Rank rank = 0; rank < std::ssize(schedule); ++rank)
    for (StepIndex i = 0; i < schedule[at(rank)].size(); ++i) {
      const Step step = schedule[at(rank)].step(i);
      if (step.kind != StepKind::send) continue;
      Flow& flow = flows[{rank, step.peer}];
      ++flow.messages;
      flow.units += step.length();
    }
  return flows;
}

class TreeDrawing {
 public:
  TreeDrawing(const Schedule& schedule, const Layout& layout, const std::vector<Tree>& trees,
              const std::vector<std::string>& hosts, const std::string& title)
      : schedule_(schedule), layout_(layout), trees_(trees), flows_(flows_of(schedule)), title_(title) {
    for (SiteIndex site = 0; site < layout.sites(); ++site)
      plans_.push_back(SiteLayout(layout, trees[at(site)], hosts).make());
    arrange();
  }

  std::string svg() {
    add("<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' viewBox='0 0 {0:.0f} "
        "{1:.0f}' "
        "font-family='DejaVu Sans, Helvetica, sans-serif' font-size='11'>\n<defs>\n",
        width_, height_);
    for (std::size_t i = 0; i < std::size(kSiteColors); ++i)
      add("<marker id='head{0}' viewBox='0 0 10 10' refX='9' refY='5' markerWidth='10' markerHeight='10' "
          "markerUnits='userSpaceOnUse' "
          "orient='auto-start-reverse'><path d='M0 0L10 5L0 10z' fill='{1}'/></marker>\n",
          i, kSiteColors[i]);
    add("</defs>\n<rect width='100%' height='100%' fill='white'/>\n");
    draw_title();
    for (SiteIndex site = 0; site < layout_.sites(); ++site) draw_site(site);
    draw_edges();
    draw_arrows();
    for (SiteIndex site = 0; site < layout_.sites(); ++site) draw_ranks(site);
    return svg_ + "</svg>\n";
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Values>(values)...);
  }

  /// The first half of the sites above, upside down, the others below.
  void arrange() {
    const std::size_t sites = plans_.size(), above = sites == 1 ? 0 : (sites + 1) / 2;
    const auto row_width = [&](std::size_t begin, std::size_t end) {
      double width = 0;
      for (std::size_t i = begin; i < end; ++i) width += plans_[i].width + (i > begin ? kSiteGap : 0);
      return width;
    };
    double highest = 0, deepest = 0;
    for (std::size_t i = 0; i < sites; ++i) {
      double& height = i < above ? highest : deepest;
      height = std::max(height, plans_[i].height);
    }
    const double widest = std::max(
        {row_width(0, above), row_width(above, sites), 690.0, 10.0 * static_cast<double>(title_.size())});
    middle_top_ = kTitle + highest;
    middle_bottom_ = middle_top_ + (above > 0 ? std::max(kLeastMiddle, widest / 6) : 0);
    width_ = widest + 2 * kMargin;
    height_ = middle_bottom_ + deepest + kMargin;
    lay_row(0, above, (width_ - row_width(0, above)) / 2, -1);
    lay_row(above, sites, (width_ - row_width(above, sites)) / 2, 1);
  }

  /// `direction`: 1 down, -1 up, from the middle.
  void lay_row(std::size_t begin, std::size_t end, double left, int direction) {
    const double from = direction > 0 ? middle_bottom_ : middle_top_;
    for (std::size_t i = begin; i < end; ++i) {
      const SitePlan& plan = plans_[i];
      const double far = from + direction * plan.height;
      directions_.push_back(direction);
      boxes_.push_back({left, left + plan.width, std::min(from, far), std::max(from, far)});
      for (const auto& [rank, point] : plan.ranks)
        places_[rank] = {left + point.x, from + direction * point.y};
      left += plan.width + kSiteGap;
    }
  }

  void draw_title() {
    add("<text x='{}' y='28' font-size='16' font-weight='bold'>{}</text>\n", kMargin, escaped(title_));
    add("<text x='{}' y='48' fill='#444'>circle: rank; line: tree inside a site, with an arrow for each "
        "direction that "
        "is used; coloured arrow: messages between sites</text>\n",
        kMargin);
  }

  void draw_site(SiteIndex site) {
    const Box& box = boxes_[at(site)];
    const int direction = directions_[at(site)];
    add("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' rx='8' fill='#f6f6f4' stroke='{}'/>\n",
        box.left, box.top, box.right - box.left, box.bottom - box.top, site_color(at(site)));
    add("<text x='{:.1f}' y='{:.1f}' text-anchor='middle' font-size='13' font-weight='bold' "
        "fill='{}'>{}</text>\n",
        box.middle(), direction > 0 ? box.bottom - 7 : box.top + 16, site_color(at(site)),
        escaped(layout_.site_name(site)));
    if (layout_.levels() == 0) return;
    const double from = direction > 0 ? box.top : box.bottom;
    for (const HostBox& host : plans_[at(site)].hosts) draw_host(host, box.left, from, direction);
  }

  void draw_host(const HostBox& host, double left, double from, int direction) {
    const double near = from + direction * host.box.top, far = from + direction * host.box.bottom;
    add("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' rx='5' fill='white' stroke='#d4d4d0'>"
        "<title>host {}</title></rect>\n",
        left + host.box.left, std::min(near, far), host.box.right - host.box.left, std::abs(far - near),
        escaped(host.name));
    if (host.name.size() * 6 <= static_cast<std::size_t>(host.box.right - host.box.left))
      add("<text x='{:.1f}' y='{:.1f}' text-anchor='middle' font-size='9' fill='#777'>{}</text>\n",
          left + host.box.middle(), direction > 0 ? far + 10 : far - 3, escaped(host.name));
  }

  /// The trees, and what else goes inside a site.
  void draw_edges() {
    for (const auto& [pair, flow] : flows_) {
      const auto& [from, to] = pair;
      if (layout_.site_of(from) != layout_.site_of(to) || is_edge(from, to)) continue;
      draw_line(from, to, "#c9c9c4", 0.7, "");
    }
    for (const Tree& tree : trees_)
      for (const Rank parent : tree.members())
        for (const Rank child : tree.children_of(parent)) draw_edge(parent, child);
  }

  bool is_edge(Rank a, Rank b) const {
    const Tree& tree = trees_[at(layout_.site_of(a))];
    return tree.parent_of(a) == b || tree.parent_of(b) == a;
  }

  void draw_edge(Rank parent, Rank child) {
    const bool down = flows_.contains({parent, child}), up = flows_.contains({child, parent});
    std::string markers = down || up ? "" : " stroke-dasharray='3 3'";
    draw_line(parent, child, "#555", 1.3, markers);
    if (down) draw_head(parent, child);
    if (up) draw_head(child, parent);
  }

  /// The flow as a text: "0 to 1: 3 messages, 24 bytes".
  std::string flow_text(Rank from, Rank to) const {
    const auto found = flows_.find({from, to});
    if (found == flows_.end()) return "";
    const char* unit = schedule_.front().unit() == Unit::bytes ? "bytes" : "elements";
    return fmt::format("{} to {}: {} messages, {} {}", from, to, found->second.messages, found->second.units,
                       unit);
  }

  void draw_line(Rank from, Rank to, const char* stroke, double width, const std::string& more) {
    const Point a = places_[from], b = places_[to];
    const std::string there = flow_text(from, to), back = flow_text(to, from);
    add("<path d='M{:.1f} {:.1f}L{:.1f} {:.1f}' stroke='{}' "
        "stroke-width='{}'{}><title>{}{}{}</title></path>\n",
        a.x, a.y, b.x, b.y, stroke, width, more, there, there.empty() || back.empty() ? "" : "; ", back);
  }

  /// An arrow's head where a message reaches the circle of `to`.
  void draw_head(Rank from, Rank to) {
    const Point a = places_[from], b = places_[to];
    const double length = std::hypot(b.x - a.x, b.y - a.y), ux = (b.x - a.x) / length,
                 uy = (b.y - a.y) / length;
    const double x = b.x - ux * kRadius, y = b.y - uy * kRadius;
    add("<path d='M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z' fill='#555'/>\n", x, y, x - 7 * ux + 3 * uy,
        y - 7 * uy - 3 * ux, x - 7 * ux - 3 * uy, y - 7 * uy + 3 * ux);
  }

  void draw_arrows() {
    Count most = 1;
    for (const auto& [pair, flow] : flows_)
      if (layout_.site_of(pair.first) != layout_.site_of(pair.second)) most = std::max(most, flow.units);
    for (const auto& [pair, flow] : flows_)
      if (layout_.site_of(pair.first) != layout_.site_of(pair.second))
        draw_arrow(pair.first, pair.second,
                   0.8 + 2 * std::sqrt(static_cast<double>(flow.units) / static_cast<double>(most)));
  }

  /// A curve that leaves the site towards the middle of the picture and bends to the right of its way, so
  /// that the two directions do not meet.
  void draw_arrow(Rank from, Rank to, double width) {
    const Point a = places_[from], b = places_[to];
    const double middle = (middle_top_ + middle_bottom_) / 2;
    const auto reach = [&](Point p, Point other) {
      const bool same_row = (p.y < middle) == (other.y < middle);
      return same_row ? middle + (p.y < middle ? -1 : 1) * 10 : p.y + (other.y - p.y) * 0.45;
    };
    const double length = std::max(1.0, std::hypot(b.x - a.x, b.y - a.y));
    const double right = std::min(22.0, length / 8);
    const double nx = -(b.y - a.y) / length * right, ny = (b.x - a.x) / length * right;
    const Point c{a.x + (b.x - a.x) * 0.2 + nx, reach(a, b) + ny},
        d{b.x - (b.x - a.x) * 0.2 + nx, reach(b, a) + ny};
    const double near = std::max(1.0, std::hypot(b.x - d.x, b.y - d.y));
    const Point end{b.x - (b.x - d.x) / near * (kRadius + 1), b.y - (b.y - d.y) / near * (kRadius + 1)};
    const std::size_t color = at(layout_.site_of(from)) % std::size(kSiteColors);
    add("<path class='wide' d='M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}' fill='none' "
        "stroke='{}' "
        "stroke-width='{:.1f}' stroke-opacity='0.85' marker-end='url(#head{})'><title>{}</title></path>\n",
        a.x, a.y, c.x, c.y, d.x, d.y, end.x, end.y, site_color(color), width, color, flow_text(from, to));
  }

  void draw_ranks(SiteIndex site) {
    for (const Rank rank : layout_.ranks_of(site)) {
      const Point point = places_[rank];
      const bool is_root = trees_[at(site)].root() == rank;
      add("<circle cx='{:.1f}' cy='{:.1f}' r='{}' fill='{}' stroke='{}' stroke-width='1.4'/>"
          "<text x='{:.1f}' y='{:.1f}' text-anchor='middle' font-size='{}' fill='{}'>{}</text>\n",
          point.x, point.y, kRadius, is_root ? site_color(at(site)) : "white", site_color(at(site)), point.x,
          point.y + 3.5, rank < 1000 ? 10 : 8, is_root ? "white" : "#222", rank);
    }
  }

  const Schedule& schedule_;
  const Layout& layout_;
  const std::vector<Tree>& trees_;
  Flows flows_;
  const std::string& title_;
  std::vector<SitePlan> plans_;
  std::vector<Box> boxes_;
  std::vector<int> directions_;
  std::map<Rank, Point> places_;
  double width_ = 0, height_ = 0, middle_top_ = 0, middle_bottom_ = 0;
  std::string svg_;
};

}  // namespace

std::string tree_svg(const Schedule& schedule, const Layout& layout, const std::vector<Tree>& trees,
                     const std::vector<std::string>& hosts, const std::string& title) {
  return TreeDrawing(schedule, layout, trees, hosts, title).svg();
}

}  // namespace wan::tools
