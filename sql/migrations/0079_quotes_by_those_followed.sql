-- Authors elsewhere may let those quote whom they follow. The column has a constant default, so
-- that accounts are locked for a moment only; it is filled as actors are fetched again. Rows that
-- are there fit the new check, so it is not made for them.
alter table accounts add column following_url text not null default '';
alter table statuses drop constraint statuses_quote_approval_policy_check;
alter table statuses add constraint statuses_quote_approval_policy_check check (quote_approval_policy in (
  'public', 'followers', 'nobody', 'manual', 'manual_followers', 'followers_manual', 'following', 'followers_following',
  'manual_following', 'manual_followers_following', 'followers_manual_following', 'following_manual_followers',
  'following_manual', 'followers_following_manual', 'unsupported', 'manual_unsupported'
)) not valid;
