-- More long work of the staff: files of other servers are copied again, files that nothing names
-- are removed, counters are recounted. The checks read the table, which has few rows.
alter table staff_tasks
  drop constraint staff_tasks_subject_check,
  drop constraint staff_tasks_kind_check,
  add constraint staff_tasks_kind_check check (kind in (
    'follow_all', 'unfollow_all', 'purge_domain', 'remove_media', 'remove_statuses',
    'purge_emojis', 'purge_remote_emojis', 'purge_suspended_emojis',
    'remove_previews', 'remove_pictures', 'prune_accounts', 'cull_accounts', 'refresh_accounts', 'rotate_keys',
    'refresh_media', 'remove_orphans', 'recount_accounts', 'recount_statuses'
  )),
  add constraint staff_tasks_subject_check check (
    case
      when kind like 'purge\_%emojis' or kind in ('prune_accounts', 'remove_orphans', 'recount_accounts', 'recount_statuses')
        then num_nonnulls(target_account_id, domain, days) = 0
      when kind in ('cull_accounts', 'refresh_accounts', 'rotate_keys') then num_nonnulls(target_account_id, domain, days) <= 1
      else num_nonnulls(target_account_id, domain, days) = 1
    end
  );
