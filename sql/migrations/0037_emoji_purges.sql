-- Purges of custom emojis as long work of the staff: they have no account, domain or age. The check
-- reads the table, which has few rows.
alter table staff_tasks
  drop constraint staff_tasks_check,
  drop constraint staff_tasks_kind_check,
  add constraint staff_tasks_kind_check check (kind in (
    'follow_all', 'unfollow_all', 'purge_domain', 'remove_media', 'remove_statuses',
    'purge_emojis', 'purge_remote_emojis', 'purge_suspended_emojis'
  )),
  add constraint staff_tasks_subject_check check (
    num_nonnulls(target_account_id, domain, days) = case when kind like 'purge\_%emojis' then 0 else 1 end
  );
