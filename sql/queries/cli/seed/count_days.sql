-- count_days: makes the daily counters of the seeded rows, which were written without triggers.
-- rows: one
-- plan: all rows that are counted, once
select recount_days() is null and recount_tags() is null as counted
