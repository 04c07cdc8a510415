-- What hangs on follows and follow requests, kept true whoever removes them (counters, notifications, endorsements); what profiles,
-- search of people and sign-up need.
-- Locks: triggers are added to follows and follow_requests, and indexes built on statuses, accounts, users, mutes and endorsements: their
-- writers wait while that is done.

-- How many collections a holder of the role may own (api/roles.md, section 3).
alter table roles add column collection_limit integer not null default 10;

-- Each row once; in the order of the accounts, so that two transactions never wait for each other.
create function count_new_follows() returns trigger language plpgsql as $$
begin
  insert into account_stats as s (account_id, following_count, followers_count)
  select change.account_id, sum(change.following), sum(change.followers)
  from (
    select made.account_id, 1 as following, 0 as followers from made
    union all
    select made.target_account_id, 0, 1 from made
  ) change
  group by change.account_id
  order by change.account_id
  on conflict (account_id) do update
  set following_count = s.following_count + excluded.following_count,
    followers_count = s.followers_count + excluded.followers_count;
  return null;
end
$$;

create trigger follows_counted after insert on follows referencing new table as made
for each statement execute function count_new_follows();

-- The accounts themselves may be going in the same transaction: then there is nothing to count.
create function forget_follows() returns trigger language plpgsql as $$
begin
  with change as (
    select one.account_id, sum(one.following) as following, sum(one.followers) as followers
    from (
      select gone.account_id, 1 as following, 0 as followers from gone
      union all
      select gone.target_account_id, 0, 1 from gone
    ) one
    group by one.account_id
  ), held as materialized (
    select s.account_id from account_stats s join change on change.account_id = s.account_id
    order by s.account_id
    for no key update of s
  )
  update account_stats s
  set following_count = s.following_count - change.following, followers_count = s.followers_count - change.followers
  from held
  join change on change.account_id = held.account_id
  where s.account_id = held.account_id;
  delete from notifications n using gone
  where n.account_id = gone.target_account_id and n.from_account_id = gone.account_id
    and n.type = 'follow' and n.activity_id = gone.id;
  delete from endorsements e using gone
  where e.account_id = gone.account_id and e.target_account_id = gone.target_account_id;
  return null;
end
$$;

create trigger follows_forgotten after delete on follows referencing old table as gone
for each statement execute function forget_follows();

create function forget_follow_requests() returns trigger language plpgsql as $$
begin
  delete from notifications n using gone
  where n.account_id = gone.target_account_id and n.from_account_id = gone.account_id
    and n.type = 'follow_request' and n.activity_id = gone.id;
  return null;
end
$$;

create trigger follow_requests_forgotten after delete on follow_requests referencing old table as gone
for each statement execute function forget_follow_requests();

-- Whether one of the two is out of the other's lists: a block either way, or the viewer's mute. Of an anonymous viewer: never.
create function avoids(viewer bigint, other bigint) returns boolean
language sql stable as $$
  select exists (select from blocks b where b.account_id = viewer and b.target_account_id = other)
    or exists (select from blocks b where b.account_id = other and b.target_account_id = viewer)
    or exists (
      select from mutes m
      where m.account_id = viewer and m.target_account_id = other and (m.expires_at is null or m.expires_at > now())
    )
$$;

-- Endorsements are paged by the account that is endorsed.
create index endorsements_by_target on endorsements (target_account_id);

create index mutes_expiry on mutes (expires_at) where expires_at is not null;

-- The tabs of a profile: without replies to others, and media.
create index statuses_by_account_unanswering on statuses (account_id, id desc)
  where deleted_at is null and (in_reply_to_account_id is null or in_reply_to_account_id = account_id);
create index statuses_by_account_with_media on statuses (account_id, id desc)
  where deleted_at is null and media_attachment_ids <> '{}';

-- Search of people: by how handles and names begin.
create index accounts_username_prefix on accounts (lower(username) text_pattern_ops);
create index accounts_display_name_prefix on accounts (lower(display_name) text_pattern_ops);

-- The statuses of a profile that the viewer may see, with the filters of GET /api/v1/accounts/:id/statuses. A boost is there only when
-- what it boosts may be seen and is by nobody whom the viewer avoids. Inlined, so that constant filters can use partial indexes.
create function profile_statuses(
  viewer bigint, author bigint, exclude_replies boolean, exclude_reblogs boolean, exclude_direct boolean, only_media boolean
) returns setof statuses
language sql stable rows 100 as $$
  select s.*
  from visible_statuses(viewer) s
  where s.account_id = author
    and (not exclude_replies or s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id)
    and (not exclude_reblogs or s.reblog_of_id is null)
    and (not exclude_direct or s.visibility <> 'direct')
    and (not only_media or s.media_attachment_ids <> '{}')
    and (
      s.reblog_of_id is null
      or exists (
        select
        from visible_statuses(viewer) o
        join accounts a on a.id = o.account_id
        where o.id = s.reblog_of_id and not unwanted_by(viewer, a)
      )
    )
$$;

-- The form of an address under which all its spellings are one mailbox: lower case, without dots and what follows a plus.
create function canonical_email(email text) returns text
language sql immutable parallel safe
return lower(
  replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@' || split_part(email, '@', 2)
);

create index users_canonical_email on users (canonical_email(email));
create index users_by_role on users (role_id) where role_id is not null;

-- Whose statuses have a tag: for the tags of a profile, which else would cost as much as its author or the tag is busy.
alter table status_tags add column account_id bigint references accounts (id) on delete cascade;

create function note_author_of_tag() returns trigger language plpgsql as $$
begin
  new.account_id := (select s.account_id from statuses s where s.id = new.status_id);
  return new;
end
$$;

create trigger status_tags_author before insert on status_tags for each row execute function note_author_of_tag();

update status_tags st set account_id = s.account_id from statuses s where s.id = st.status_id;
create index status_tags_by_account on status_tags (account_id, tag_id, status_id desc);
