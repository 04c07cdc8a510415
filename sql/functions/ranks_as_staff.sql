-- Whether the originator is staff whose mentions always arrive: a role shown on the profile, with a
-- permission of moderation, that ranks above the recipient's.
create or replace function ranks_as_staff(originator bigint, recipient bigint) returns boolean
language sql stable as $$
  select exists (
    select
    from users u
    join roles r on r.id = u.role_id
    where u.account_id = originator and r.highlighted and (r.permissions & (
        permission('administrator') | permission('view_audit_log') | permission('view_dashboard') | permission('manage_reports')
        | permission('manage_federation') | permission('manage_blocks') | permission('manage_taxonomies')
        | permission('manage_appeals') | permission('manage_users') | permission('manage_invites')
        | permission('manage_user_access') | permission('delete_user_data') | permission('view_feeds')
      )) <> 0
      and r.position > coalesce(
        (select other.position from users own join roles other on other.id = coalesce(own.role_id, -99) where own.account_id = recipient),
        -1
      )
  )
$$;
