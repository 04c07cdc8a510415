-- blocks_reader: whether a local account blocks an actor, or its server, by the domain of its host
-- or handle.
-- $1 account bigint
-- $2 reader bigint
-- $3 domain text
-- rows: one
-- plan: no sequential scan
select
  exists (select from blocks b where b.account_id = $1 and b.target_account_id = $2::bigint)
  or exists (
    select from account_domain_blocks d
    where d.account_id = $1 and d.domain in ($3::text, (select r.domain from accounts r where r.id = $2))
  ) as blocked
