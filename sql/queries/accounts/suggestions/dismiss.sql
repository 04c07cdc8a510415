-- dismiss: excludes an account from the viewer's suggestions. Has no effect for an unknown or
-- already dismissed account.
-- $1 viewer bigint
-- $2 account bigint
-- rows: none
-- plan: no sequential scan
insert into suggestion_dismissals (account_id, target_account_id)
select $1, a.id from accounts a where a.id = $2
on conflict do nothing
