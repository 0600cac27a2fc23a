// SPDX-License-Identifier: BSD-3-Clause
#include "tools/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/index.h"
#include "tools/ms_text.h"
#include "tools/svg.h"
#include "tools/time_axis.h"

namespace wan::tools {
namespace {

// Pixels.
constexpr double kLeft = 150, kRight = 40, kTop = 84, kBottom = 24, kWidth = 1'400;
constexpr double kGapOfSites = 14, kGapOfHosts = 5, kLeastBar = 1.6, kTickSpacing = 64;

/// By StepKind.
struct Look {
  const char* name;
  const char* color;
};
constexpr const char* kRendezvousColor = "#a9c3dc";
constexpr Look kLooks[] = {
    {"send", "#2f5d8c"}, {"receive", "#4f9d69"}, {"copy", "#a3a3a3"}, {"reduce", "#d64550"}};

const Look& look(StepKind kind) {
  return kLooks[static_cast<std::size_t>(kind)];
}

std::int32_t host_of(const Layout& layout, Rank rank) {
  return layout.levels() > 0 ? layout.group_of(0, rank) : -1;
}

/// Where each rank's row lies: site by site, host by host.
class Rows {
 public:
  explicit Rows(const Layout& layout)
      : pitch_(layout.size() <= 20   ? 20
               : layout.size() <= 48 ? 15
                                     : 9),
        y_(at(layout.size())) {
    double y = kTop;
    for (SiteIndex site = 0; site < layout.sites(); ++site) {
      site_top_.push_back(y);
      y = add_site(layout, site, y);
      site_bottom_.push_back(y);
      y += kGapOfSites;
    }
  }
  double pitch() const { return pitch_; }
  double bar() const { return pitch_ * 0.6; }
  /// The middle of a rank's row.
  double y(Rank rank) const { return y_[at(rank)]; }
  double top(SiteIndex site) const { return site_top_[at(site)]; }
  double bottom(SiteIndex site) const { return site_bottom_[at(site)]; }
  double bottom() const { return site_bottom_.back(); }

 private:
  double add_site(const Layout& layout, SiteIndex site, double y) {
    std::vector<Rank> ranks(layout.ranks_of(site).begin(), layout.ranks_of(site).end());
    std::ranges::stable_sort(ranks, {}, [&](Rank rank) { return host_of(layout, rank); });
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (i > 0 && host_of(layout, ranks[i]) != host_of(layout, ranks[i - 1])) y += kGapOfHosts;
      y_[at(ranks[i])] = y + pitch_ / 2;
      y += pitch_;
    }
    return y;
  }

  double pitch_;
  std::vector<double> y_, site_top_, site_bottom_;
};

using StepMarks = std::vector<std::vector<char>>;

/// [rank][step]: is it a send that asks first? It lasts from its request to its last byte, and the processor
/// is free meanwhile.
StepMarks rendezvous_of(const Simulation& simulation) {
  StepMarks marks;
  for (const auto& steps : simulation.steps) marks.emplace_back(steps.size());
  for (const Delivery& delivery : simulation.deliveries)
    if (delivery.protocol == Protocol::rendezvous) marks[at(delivery.from.rank)][at(delivery.from.step)] = 1;
  return marks;
}

/// When processors work.
std::vector<Interval> busy_times(const Simulation& simulation, const StepMarks& rendezvous) {
  std::vector<Interval> busy;
  for (std::size_t rank = 0; rank < simulation.steps.size(); ++rank)
    for (std::size_t i = 0; i < simulation.steps[rank].size(); ++i) {
      const StepTimes& times = simulation.steps[rank][i];
      if (!times.start || !times.end) continue;
      busy.push_back({*times.start, rendezvous[rank][i] ? *times.start : *times.end});
      busy.push_back({*times.end, *times.end});
    }
  return busy;
}

class TimelineDrawing {
 public:
  TimelineDrawing(const Schedule& schedule, const Layout& layout, const Simulation& simulation,
                  const TimelineText& text)
      : schedule_(schedule),
        layout_(layout),
        simulation_(simulation),
        text_(text),
        rows_(layout),
        rendezvous_(rendezvous_of(simulation)),
        axis_(busy_times(simulation, rendezvous_), std::max<Nanoseconds>({simulation.end, text.bound_ns, 1}),
              kWidth) {}

  std::string svg() {
    const double width = kLeft + kWidth + kRight, height = rows_.bottom() + kBottom + 24;
    add("<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
        "font-family='DejaVu Sans, Helvetica, sans-serif' font-size='11'>\n<rect width='100%' height='100%' "
        "fill='white'/>\n",
        width, height);
    draw_title();
    draw_legend();
    draw_sites();
    draw_axis();
    draw_messages(Proximity::same_host);
    draw_messages(Proximity::same_site);
    draw_messages(Proximity::remote);
    draw_steps();
    draw_arrivals();
    draw_ends();
    return svg_ + "</svg>\n";
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Values>(values)...);
  }

  double x(Nanoseconds time) const { return kLeft + axis_.x(time); }
  const char* color(SiteIndex site) const { return site_color(at(site)); }

  void draw_title() {
    add("<text x='16' y='26' font-size='16' font-weight='bold'>{}</text>\n", escaped(text_.title));
    std::string line = "simulated: " + ms_text(simulation_.end) + " ms";
    if (text_.bound_ns > 0)
      line += fmt::format("   lower bound: {} ms   ratio: {:.2f}", ms_text(text_.bound_ns),
                          static_cast<double>(simulation_.end) / static_cast<double>(text_.bound_ns));
    if (!simulation_.is_finished()) line += fmt::format("   {} steps never end", simulation_.stuck.size());
    add("<text x='16' y='46' fill='#444' xml:space='preserve'>{}</text>\n", line);
  }

  void draw_legend() {
    double left = kLeft + kWidth - 760;
    for (const Look& each : kLooks) {
      add("<rect x='{}' y='17' width='16' height='10' fill='{}'/><text x='{}' y='26'>{}</text>\n", left,
          each.color, left + 21, each.name);
      left += 82;
    }
    add("<rect x='{}' y='17' width='16' height='10' fill='{}'/><text x='{}' y='26'>rendezvous</text>\n", left,
        kRendezvousColor, left + 21);
    left += 110;
    add("<path d='M{0} 22h26' stroke='{1}' stroke-width='2'/><circle cx='{2}' cy='22' r='2.6' fill='{1}'/>"
        "<text x='{3}' y='26'>between sites, band: on the wire</text>\n",
        left, kSiteColors[0], left + 26, left + 33);
    left += 230;
    add("<path d='M{} 22h26' stroke='#9ca3af'/><text x='{}' y='26'>inside</text>\n", left, left + 31);
  }

  void draw_sites() {
    for (SiteIndex site = 0; site < layout_.sites(); ++site) {
      const double top = rows_.top(site) - 3, height = rows_.bottom(site) - rows_.top(site) + 6;
      add("<rect x='{}' y='{}' width='{}' height='{}' fill='#f6f6f4'/>\n", kLeft, top, kWidth, height);
      add("<rect x='{}' y='{}' width='4' height='{}' fill='{}'/>\n", kLeft - 46, top, height, color(site));
      add("<text x='{}' y='{}' text-anchor='end' font-size='13' font-weight='bold' fill='{}'>{}</text>\n",
          kLeft - 54, top + height / 2 + 4, color(site), escaped(layout_.site_name(site)));
    }
    for (Rank rank = 0; rank < layout_.size(); ++rank) {
      add("<path d='M{} {}h{}' stroke='#e3e3df'/>\n", kLeft, rows_.y(rank), kWidth);
      if (rows_.pitch() > 10)
        add("<text x='{}' y='{}' text-anchor='end' fill='#555' font-size='10'>{}</text>\n", kLeft - 8,
            rows_.y(rank) + 3.5, rank);
    }
  }

  void draw_axis() {
    const double top = kTop - 10, bottom = rows_.bottom() + 8;
    for (const auto& piece : axis_.pieces())
      if (piece.scale == TimeAxis::Piece::Scale::folded) draw_fold(piece, top, bottom);
    const auto ticks = axis_.ticks(kTickSpacing);
    const int decimals =
        std::clamp(6 - static_cast<int>(std::floor(std::log10(static_cast<double>(ticks.step)))), 0, 6);
    for (const Nanoseconds time : ticks.times)
      add("<path d='M{0:.1f} {1}V{2}' stroke='#d4d4d0' stroke-width='0.7'/><text x='{0:.1f}' y='{3}' "
          "text-anchor='middle' "
          "fill='#444' font-size='10'>{4}</text>\n",
          x(time), top, bottom, bottom + 14, ms_text(time, decimals));
    add("<text x='{}' y='{}' fill='#444' font-size='10'>ms</text>\n", kLeft + kWidth + 20, bottom + 14);
    if (text_.bound_ns > 0) draw_mark(text_.bound_ns, "bound " + ms_text(text_.bound_ns), "#111");
  }

  void draw_fold(const TimeAxis::Piece& piece, double top, double bottom) {
    const double from = kLeft + piece.from, to = kLeft + piece.to;
    add("<rect x='{:.1f}' y='{}' width='{:.1f}' height='{}' fill='#ebebe6'/>\n", from, top, to - from,
        bottom - top);
    add("<path d='M{0:.1f} {2}V{3}M{1:.1f} {2}V{3}' stroke='#bdbdb5' stroke-dasharray='2 3'/>\n", from, to,
        top, bottom);
    const Nanoseconds length = piece.time.end - piece.time.begin;
    add("<text x='{:.1f}' y='{}' text-anchor='middle' fill='#77776f' font-size='10'>&#8230; {} ms "
        "&#8230;</text>\n",
        (from + to) / 2, top - 4, ms_text(length, length < 10'000'000 ? 2 : 1));
  }

  void draw_mark(Nanoseconds time, const std::string& name, const char* stroke) {
    add("<path d='M{0:.1f} {1}V{2}' stroke='{3}' stroke-dasharray='5 3'/><text x='{0:.1f}' y='{4}' "
        "text-anchor='middle' "
        "font-size='10' fill='{3}'>{5}</text>\n",
        x(time), kTop - 10, rows_.bottom() + 8, stroke, kTop - 26, name);
  }

  void draw_messages(Proximity proximity) {
    for (const Delivery& delivery : simulation_.deliveries)
      if (delivery.proximity == proximity) draw_message(delivery);
  }

  /// A line for the last bit; between sites a band from the first bit to it.
  void draw_message(const Delivery& delivery) {
    const bool is_remote = delivery.proximity == Proximity::remote;
    const char* stroke = is_remote ? color(layout_.site_of(delivery.from.rank)) : "#9ca3af";
    const double from = rows_.y(delivery.from.rank), to = rows_.y(delivery.to.rank);
    const Nanoseconds duration = delivery.left.last_bit - delivery.left.first_bit;
    if (is_remote)
      add("<path d='M{0:.1f} {1:.1f}H{2:.1f}L{3:.1f} {4:.1f}H{5:.1f}z' fill='{6}' fill-opacity='0.14'/>\n",
          x(delivery.left.first_bit), from, x(delivery.left.last_bit), x(delivery.arrival), to,
          x(delivery.arrival - duration), stroke);
    add("<path d='M{:.1f} {:.1f}L{:.1f} {:.1f}' stroke='{}' stroke-width='{}' stroke-opacity='{}'>",
        x(delivery.left.last_bit), from, x(delivery.arrival), to, stroke, is_remote ? 1.5 : 0.9,
        is_remote ? 0.75 : 1.0);
    add("<title>{} to {}: {} bytes, begun {}, on the wire {} to {}, there {} ms</title></path>\n",
        delivery.from.rank, delivery.to.rank, delivery.bytes, ms_text(delivery.start),
        ms_text(delivery.left.first_bit), ms_text(delivery.left.last_bit), ms_text(delivery.arrival));
  }

  /// On top of the bars: what arrives while the processor is busy has to wait.
  void draw_arrivals() {
    for (const Delivery& delivery : simulation_.deliveries)
      if (delivery.proximity == Proximity::remote)
        add("<circle cx='{:.1f}' cy='{:.1f}' r='2.9' fill='{}' stroke='white' stroke-width='0.8'/>\n",
            x(delivery.arrival), rows_.y(delivery.to.rank), color(layout_.site_of(delivery.from.rank)));
  }

  /// What keeps the processor busy on top of what does not.
  void draw_steps() {
    for (const Protocol protocol : {Protocol::rendezvous, Protocol::eager})
      for (Rank rank = 0; rank < layout_.size(); ++rank)
        for (StepIndex i = 0; i < schedule_[at(rank)].size(); ++i)
          if (rendezvous_[at(rank)][at(i)] == (protocol == Protocol::rendezvous)) draw_step(rank, i);
  }

  const char* color(Rank rank, StepIndex index, StepKind kind) const {
    return rendezvous_[at(rank)][at(index)] ? kRendezvousColor : look(kind).color;
  }

  void draw_step(Rank rank, StepIndex index) {
    const StepTimes& times = simulation_.steps[at(rank)][at(index)];
    if (!times.start) return;
    const Step step = schedule_[at(rank)].step(index);
    const Nanoseconds end = times.end.value_or(simulation_.end);
    const double from = x(*times.start), width = std::max(x(end) - from, kLeastBar);
    const std::string peer =
        step.peer < 0 ? "" : fmt::format(" {} {}", step.kind == StepKind::send ? "to" : "from", step.peer);
    add("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='{}' stroke='white' "
        "stroke-width='0.4'><title>rank {} step {}: "
        "{} {} units{}, {} to {} ms</title></rect>\n",
        from, rows_.y(rank) - rows_.bar() / 2, width, rows_.bar(), color(rank, index, step.kind), rank, index,
        look(step.kind).name, step.length(), peer, ms_text(*times.start), ms_text(end));
  }

  /// Where each rank has done its part.
  void draw_ends() {
    for (Rank rank = 0; rank < layout_.size(); ++rank)
      add("<path d='M{:.1f} {:.1f}v{:.1f}' stroke='black' stroke-width='1.4'/>\n",
          x(simulation_.rank_end[at(rank)]), rows_.y(rank) - rows_.bar() / 2 - 2, rows_.bar() + 4);
  }

  const Schedule& schedule_;
  const Layout& layout_;
  const Simulation& simulation_;
  const TimelineText& text_;
  Rows rows_;
  StepMarks rendezvous_;
  TimeAxis axis_;
  std::string svg_;
};

}  // namespace

std::string timeline_svg(const Schedule& schedule, const Layout& layout, const Simulation& simulation,
                         const TimelineText& text) {
  return TimelineDrawing(schedule, layout, simulation, text).svg();
}

}  // namespace wan::tools
