-- find: the viewer's notification policy, and the number of pending requests and notifications.
-- $1 viewer bigint
-- rows: one; of each request at most a hundred notifications are counted, as the API shows
-- plan: no sequential scan
-- With 5,000 requests 5 to 9 ms, with none nothing; the accounts of all requests are read, for that
-- many in one scan.
select
  coalesce(p.for_not_following, 'accept') as for_not_following,
  coalesce(p.for_not_followers, 'accept') as for_not_followers,
  coalesce(p.for_new_accounts, 'accept') as for_new_accounts,
  coalesce(p.for_private_mentions, 'filter') as for_private_mentions,
  coalesce(p.for_limited_accounts, 'filter') as for_limited_accounts,
  coalesce(p.for_bots, 'accept') as for_bots,
  pending.requests::integer as pending_requests,
  pending.notifications::integer as pending_notifications
from (
  select count(*) as requests, coalesce(sum(least(r.notifications_count, 100)), 0) as notifications
  from notification_requests r
  join accounts a on a.id = r.from_account_id
  where r.account_id = $1 and a.suspended_at is null and a.deletion_requested_at is null
) pending
left join notification_policies p on p.account_id = $1
