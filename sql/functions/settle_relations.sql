-- After two accounts became this one: a block ends the follows and requests between the same two, a
-- follow the request for it, whose lists it keeps; and notification requests are counted again.
create or replace function settle_relations(account bigint) returns void language plpgsql as $$
begin
  delete from follows f using blocks b
  where (f.account_id = account or f.target_account_id = account)
    and (b.account_id, b.target_account_id) in ((f.account_id, f.target_account_id), (f.target_account_id, f.account_id));
  delete from follow_requests r using blocks b
  where (r.account_id = account or r.target_account_id = account)
    and (b.account_id, b.target_account_id) in ((r.account_id, r.target_account_id), (r.target_account_id, r.account_id));
  with ended as (
    delete from follow_requests r using follows f
    where (r.account_id = account or r.target_account_id = account)
      and f.account_id = r.account_id and f.target_account_id = r.target_account_id
    returning r.id, f.id as follow_id
  )
  update list_accounts m set follow_id = ended.follow_id, follow_request_id = null
  from ended
  where m.follow_request_id = ended.id;
  update notification_requests r
  set notifications_count = counted.amount, last_status_id = counted.last_status_id
  from (
    select o.id, count(n.id) as amount, (array_agg(n.status_id order by n.id desc))[1] as last_status_id
    from notification_requests o
    left join notifications n
      on n.account_id = o.account_id and n.from_account_id = account and n.filtered and n.type in ('mention', 'quote')
      and n.created_at >= o.created_at
    where o.from_account_id = account
    group by o.id
  ) counted
  where r.id = counted.id;
  delete from notification_requests r where r.from_account_id = account and r.notifications_count = 0;
end
$$;
