# The profiles P1 to P8 of Hinze and Voisard (Sections 2.1, 3 and 5); times are minutes of a day.
tick = 1min
class jam       = event(name = "traffic-jam", area = "A")         # E1
class location  = event(name = "truck-location")                  # E2
class nearby    = location(area = "A")                            # E2^A
class cancelled = event(name = "cancelled", customer = "D")       # E3
class afternoon = time(14h)                                       # E2pm
class left      = event(name = "left", truck = "T1", to = "I")    # E4
class left_A    = left(from = "A")                                # E4^A
class left_B    = left(from = "B")                                # E4^B
class started   = event(name = "started")                         # E5
class returned  = event(name = "returned")                        # E6
class loaded    = event(name = "loaded")                          # E7
class shift     = time(10h)                                       # E10am
class half      = time(every 30min from 8h)
class started1  = started(truck = "T1")
class started2  = started(truck = "T2")
class started3  = started(truck = "T3")
class returned1 = returned(truck = "T1")
class returned2 = returned(truck = "T2")
class returned3 = returned(truck = "T3")
class located1  = location(truck = "T1")
class located2  = location(truck = "T2")
class located3  = location(truck = "T3")
class cancels1  = event(name = "cancelled", customer in ["A", "B", "I"])
class cancelsC  = event(name = "cancelled", customer = "C")
class cancelsD  = event(name = "cancelled", customer = "D")
class cancelsE  = event(name = "cancelled", customer = "E")
# A traffic jam, and one of the trucks is at that time (5 minutes more or less) in that area.
profile P1 = (jam , nearby)[5min] { select jam: all, nearby: last; consume keep }
# A customer cancelled an order three times within a month; t is two weeks. Unique composite events: each primitive event
# is in one of them. By events (consume events) it is in two, once in a pair and once beside one; by lists (x = y) nothing
# ever matches, as a pair has its own last event in the next list.
profile P2 = ((cancelled , cancelled)[14d] { consume primitives } , cancelled)[14d] { consume primitives }
# T1 leaves A and B for I after 2pm.
profile P3 = (afternoon ; (left_A , left_B) { consume lists }) { select last, first; consume lists }
# All trucks are back: each has returned at most 8 hours after its start; unique pairs (Section 4.1).
profile P4 = (((started1 ; returned1)[8h] { consume lists } /\ (started2 ; returned2)[8h] { consume lists })
  /\ (started3 ; returned3)[8h] { consume lists })
# Goods have not been picked up 2 hours after the start of the shift.
profile P5 = (shift ; not(loaded)[2h])[2h] { select first, last; consume lists }
# Every 30 minutes the location of each truck.
profile P6_T1 = (located1 ; half)[30min] { select last, first; consume lists }
profile P6_T2 = (located2 ; half)[30min] { select last, first; consume lists }
profile P6_T3 = (located3 ; half)[30min] { select last, first; consume lists }
# Customer A, B or I cancels the delivery of T1.
profile P7 = cancels1
# Customer C, D or E cancels the delivery of T2.
profile P8 = ((cancelsC | cancelsD) | cancelsE)
