# SPDX-License-Identifier: BSD-3-Clause
# wanctl doctor, without its command line. agent, peer_* and gather run on each host; examine and session ask
# them; judge_* make findings of what they say, report shows it.
nodist_libwantools_la_SOURCES += %D%.cc
folder_sources += \
  %D%/agent.cc \
  %D%/agent.h \
  %D%/command_output.cc \
  %D%/command_output.h \
  %D%/examine.cc \
  %D%/examine.h \
  %D%/facts.h \
  %D%/facts_json.cc \
  %D%/facts_json.h \
  %D%/finding.h \
  %D%/gather.cc \
  %D%/gather.h \
  %D%/host_list.cc \
  %D%/host_list.h \
  %D%/interfaces.cc \
  %D%/interfaces.h \
  %D%/judge.cc \
  %D%/judge.h \
  %D%/judge_links.cc \
  %D%/judge_names.cc \
  %D%/judge_network.cc \
  %D%/judge_packets.cc \
  %D%/judge_software.cc \
  %D%/judge_tcp.cc \
  %D%/orders.cc \
  %D%/orders.h \
  %D%/pairs.cc \
  %D%/pairs.h \
  %D%/peer_client.cc \
  %D%/peer_client.h \
  %D%/peer_server.cc \
  %D%/peer_server.h \
  %D%/protocol.h \
  %D%/report.cc \
  %D%/report.h \
  %D%/session.cc \
  %D%/session.h \
  %D%/sockets.cc \
  %D%/sockets.h \
  %D%/units.cc \
  %D%/units.h
