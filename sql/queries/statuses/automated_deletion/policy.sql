-- policy: the policy of an account about its old statuses.
-- $1 account bigint
-- rows: none or one
-- plan: no sequential scan
select
  p.enabled, p.min_age_days, p.keep_direct, p.keep_pinned, p.keep_polls, p.keep_media, p.keep_own_favourites,
  p.keep_own_bookmarks, p.min_favourites, p.min_reblogs
from automated_deletion_policies p
where p.account_id = $1
