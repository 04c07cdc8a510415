-- Counts reports once a statement, not once a row: in a transaction with many reports of one
-- account, each row updated the same counter, and had to pass all versions that the rows before it
-- had left. The reports are locked for a moment.
--! function report_counters
--! function add_report_counts
--! function count_reports
drop trigger reports_counted on reports;
create trigger reports_counted after insert on reports
  referencing new table as added for each statement execute function count_reports();
create trigger reports_recounted after update on reports
  referencing old table as removed new table as added for each statement execute function count_reports();
create trigger reports_uncounted after delete on reports
  referencing old table as removed for each statement execute function count_reports();
