-- dismiss: an account is not suggested to the viewer again. One that is not there, or was dismissed before, changes nothing.
-- $1 viewer bigint
-- $2 account bigint
-- rows: none
-- plan: no sequential scan
insert into suggestion_dismissals (account_id, target_account_id)
select $1, a.id from accounts a where a.id = $2
on conflict do nothing
