-- More long work of the staff: pictures of profiles and of link previews, and the upkeep of
-- accounts of other servers and of keys, which may be about all accounts. `narrowed` leaves
-- something out of the work, as `widened` adds something. The checks read the table, which has few
-- rows.
alter table staff_tasks
  add column narrowed boolean not null default false,
  drop constraint staff_tasks_subject_check,
  drop constraint staff_tasks_kind_check,
  add constraint staff_tasks_kind_check check (kind in (
    'follow_all', 'unfollow_all', 'purge_domain', 'remove_media', 'remove_statuses',
    'purge_emojis', 'purge_remote_emojis', 'purge_suspended_emojis',
    'remove_previews', 'remove_pictures', 'prune_accounts', 'cull_accounts', 'refresh_accounts', 'rotate_keys'
  )),
  add constraint staff_tasks_subject_check check (
    case
      when kind like 'purge\_%emojis' or kind = 'prune_accounts' then num_nonnulls(target_account_id, domain, days) = 0
      when kind in ('cull_accounts', 'refresh_accounts', 'rotate_keys') then num_nonnulls(target_account_id, domain, days) <= 1
      else num_nonnulls(target_account_id, domain, days) = 1
    end
  );
