-- appeal: against a strike that an account got not more than 20 days ago; one each.
-- $1 account bigint
-- $2 strike bigint
-- $3 text text
-- rows: none when there is one already, or the strike is older
-- plan: no sequential scan
insert into appeals (account_id, account_warning_id, text)
select $1, w.id, $3::text
from account_warnings w
where w.id = $2 and w.target_account_id = $1 and w.created_at > now() - interval '20 days'
on conflict (account_warning_id) do nothing
returning appeals.id
