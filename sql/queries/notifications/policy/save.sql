-- save: changes the viewer's policy; null values stay unchanged.
-- $1 viewer bigint
-- $2 for_not_following text
-- $3 for_not_followers text
-- $4 for_new_accounts text
-- $5 for_private_mentions text
-- $6 for_limited_accounts text
-- $7 for_bots text
-- rows: none
-- plan: no sequential scan
insert into notification_policies as p (
  account_id, for_not_following, for_not_followers, for_new_accounts, for_private_mentions, for_limited_accounts, for_bots
)
values (
  $1, coalesce($2::text, 'accept'), coalesce($3::text, 'accept'), coalesce($4::text, 'accept'), coalesce($5::text, 'filter'),
  coalesce($6::text, 'filter'), coalesce($7::text, 'accept')
)
on conflict (account_id) do update set
  for_not_following = coalesce($2, p.for_not_following),
  for_not_followers = coalesce($3, p.for_not_followers),
  for_new_accounts = coalesce($4, p.for_new_accounts),
  for_private_mentions = coalesce($5, p.for_private_mentions),
  for_limited_accounts = coalesce($6, p.for_limited_accounts),
  for_bots = coalesce($7, p.for_bots)
