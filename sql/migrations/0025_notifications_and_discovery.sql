-- What the reading of notifications stands on: which of them are shown, and requests that stay true whoever removes a notification.
-- What finding people and hashtags stands on: the directory, suggestions that were dismissed, hashtags by prefix.
-- Locks: a trigger is added to notifications, whose writers wait for a moment. Indexes are built on account_stats, accounts and tags; their
-- writers wait while that is done.

-- The notifications that the viewer is shown: not those by accounts that are suspended or going, nor those about a status that is gone or
-- that the viewer may not see. A left join and not `exists`, which next to `or` would be planned as a hash of all statuses.
create function shown_notifications(viewer bigint) returns setof notifications
language sql stable rows 1000 as $$
  select n.*
  from notifications n
  join accounts a on a.id = n.from_account_id
  left join visible_statuses(viewer) s on s.id = n.status_id
  where n.account_id = viewer
    and a.suspended_at is null
    and a.deletion_requested_at is null
    and (n.status_id is null or s.id is not null)
$$;

-- A request counts the mentions and quotes that the policy holds back: with them it shrinks, with the last of them it goes.
create function shrink_notification_requests() returns trigger language plpgsql as $$
begin
  if not exists (select from gone where gone.filtered) then
    return null;
  end if;
  with less as (
    select gone.account_id, gone.from_account_id, count(*) as amount
    from gone
    where gone.filtered and gone.type in ('mention', 'quote')
    group by gone.account_id, gone.from_account_id
  ), ended as (
    delete from notification_requests r using less
    where r.account_id = less.account_id and r.from_account_id = less.from_account_id and r.notifications_count <= less.amount
  )
  update notification_requests r
  set notifications_count = r.notifications_count - less.amount,
    last_status_id = (
      select n.status_id
      from notifications n
      where n.account_id = r.account_id and n.from_account_id = r.from_account_id
        and n.filtered and n.type in ('mention', 'quote')
      order by n.id desc
      limit 1
    )
  from less
  where r.account_id = less.account_id and r.from_account_id = less.from_account_id and r.notifications_count > less.amount;
  return null;
end
$$;

create trigger notifications_gone after delete on notifications referencing old table as gone
for each statement execute function shrink_notification_requests();

-- The directory, the latest status first. Posting changes this index, which keeps its updates of account_stats from being heap-only.
create index account_stats_active on account_stats (last_status_at desc nulls last, account_id desc);

-- The directory, the newest account first.
create index accounts_discoverable on accounts (id desc)
  where discoverable and suspended_at is null and silenced_at is null and moved_to_account_id is null;

-- Hashtags that begin with a text, the shortest first: one look-up for each length.
create index tags_by_length on tags (length(name), name text_pattern_ops) where listable;

create table suggestion_dismissals (
  account_id bigint not null references accounts (id) on delete cascade,
  target_account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, target_account_id)
);

create index suggestion_dismissals_by_target on suggestion_dismissals (target_account_id);
