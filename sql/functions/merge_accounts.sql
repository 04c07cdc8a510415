-- Moves everything that belongs or refers to a remote account to another one, and deletes the
-- first. Rows that both have are merged. The tables are found by their foreign keys, so that later
-- ones are included. Other servers are not notified.
create or replace function merge_accounts(source bigint, target bigint) returns void language plpgsql as $$
declare
  reference record;
  one record;
begin
  perform set_config('millrace.receiving', 'on', true);
  perform 1 from accounts a where a.id in (source, target) order by a.id for update;
  delete from follows f where (f.account_id, f.target_account_id) in ((source, target), (target, source));
  delete from follow_requests r where (r.account_id, r.target_account_id) in ((source, target), (target, source));
  delete from blocks b where (b.account_id, b.target_account_id) in ((source, target), (target, source));
  delete from quotes q using quotes other
  where q.account_id = source and other.account_id = target and q.status_id = other.status_id;
  perform merge_reactions(source, target);
  perform join_memberships(source, target);
  delete from follows f using follows other
  where (f.account_id = source and other.account_id = target and other.target_account_id = f.target_account_id)
    or (f.target_account_id = source and other.target_account_id = target and other.account_id = f.account_id);
  perform move_day_counters(source, target);

  for reference in
    select c.conrelid::regclass as place, a.attname as name
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'accounts'::regclass and c.conparentid = 0
      and c.conrelid::regclass::text <> all (array['account_stats', 'popular_accounts', 'users', 'signing_keys'])
    order by c.conrelid::regclass::text, a.attname
  loop
    begin
      execute format('update %s set %2$I = $2 where %2$I = $1', reference.place, reference.name) using source, target;
    exception when unique_violation or check_violation then
      for one in execute format('select ctid as place from %s where %2$I = $1', reference.place, reference.name) using source loop
        begin
          execute format('update %s set %2$I = $2 where ctid = $1', reference.place, reference.name) using one.place, target;
        exception when unique_violation or check_violation then
          execute format('delete from %s where ctid = $1', reference.place) using one.place;
        end;
      end loop;
    end;
  end loop;

  for one in select k.id from account_conversations k where source = any (k.participant_account_ids) loop
    begin
      update account_conversations k
      set participant_account_ids = array(select distinct x from unnest(array_replace(k.participant_account_ids, source, target)) x order by x)
      where k.id = one.id;
    exception when unique_violation then
      with dropped as (
        delete from account_conversations k where k.id = one.id
        returning k.account_id, k.conversation_id, k.status_ids, k.last_status_id, k.unread,
          array(select distinct x from unnest(array_replace(k.participant_account_ids, source, target)) x order by x) as members
      )
      update account_conversations k
      set status_ids = array(select distinct i from unnest(k.status_ids || dropped.status_ids) i order by i),
        last_status_id = greatest(k.last_status_id, dropped.last_status_id), unread = k.unread or dropped.unread
      from dropped
      where k.account_id = dropped.account_id and k.conversation_id = dropped.conversation_id
        and k.participant_account_ids = dropped.members;
    end;
  end loop;
  insert into account_stats as s (account_id, followers_count, following_count, statuses_count, last_status_at)
  select target, o.followers_count, o.following_count, o.statuses_count, o.last_status_at from account_stats o where o.account_id = source
  on conflict (account_id) do update
  set followers_count = s.followers_count + excluded.followers_count, following_count = s.following_count + excluded.following_count,
    statuses_count = s.statuses_count + excluded.statuses_count,
    followers_elsewhere = greatest(0, s.followers_elsewhere - excluded.followers_count),
    following_elsewhere = greatest(0, s.following_elsewhere - excluded.following_count),
    statuses_elsewhere = greatest(least(s.statuses_elsewhere, 0), s.statuses_elsewhere - excluded.statuses_count), last_status_at = greatest(s.last_status_at, excluded.last_status_at);
  perform settle_relations(target);
  delete from accounts a where a.id = source;
end
$$;
