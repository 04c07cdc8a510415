-- What the lists of the staff need so that every filter is answered by an index: the domain of the
-- reported account beside each report, and indexes of resolved and of assigned reports. Reads and
-- writes all reports once and holds up writers of reports meanwhile; there are few.

--! function set_report_domain
alter table reports add column target_domain text;          -- of the reported account; null: a local one
update reports r set target_domain = a.domain from accounts a where a.id = r.target_account_id and a.domain is not null;
create trigger reports_domain before insert or update of target_account_id on reports
  for each row execute function set_report_domain();

create index reports_by_domain on reports (target_domain, id desc) where target_domain is not null;
create index reports_by_pair on reports (account_id, target_account_id, id desc);
create index reports_resolved on reports (id desc) where action_taken_at is not null;
drop index reports_assigned;
create index reports_assigned on reports (assigned_account_id, id desc) where assigned_account_id is not null;

-- The accounts whose data are deleted 30 days after their suspension here, also those of other
-- servers.
drop index accounts_suspended;
create index accounts_suspended on accounts (suspended_at)
where suspended_at is not null and deletion_requested_at is null and suspension_origin = 'local';
