-- blocks_reader: whether a local account blocks an actor, or the actor's server.
-- $1 account bigint
-- $2 reader bigint
-- $3 domain text
-- rows: one
-- plan: no sequential scan
select
  exists (select from blocks b where b.account_id = $1 and b.target_account_id = $2::bigint)
  or exists (select from account_domain_blocks d where d.account_id = $1 and d.domain = $3::text) as blocked
