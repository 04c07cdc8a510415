-- Whether `owner` does not want notifications by `other`: a block, or a mute with notifications.
create or replace function mutes_notifications(owner bigint, other bigint) returns boolean
language sql stable as $$
  select exists (select from blocks b where b.account_id = owner and b.target_account_id = other)
    or exists (
      select from mutes m
      where m.account_id = owner and m.target_account_id = other and m.hide_notifications
        and (m.expires_at is null or m.expires_at > clock_timestamp())
    )
$$;
