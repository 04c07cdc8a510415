-- accounts: local accounts whose deletion was not sent yet during self-destruction. Only accounts
-- with a key pair are known to other servers, because their documents contain it.
-- $1 limit integer
-- rows: at most the limit, locked
-- plan: the stored keys
select a.id
from signing_keys k
join accounts a on a.id = k.account_id
where k.deletion_sent_at is null
order by a.id
limit (select $1::integer)
for update of k skip locked
