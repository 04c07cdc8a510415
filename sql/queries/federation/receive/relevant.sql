-- relevant: whether anybody here wants a status: a local account follows its author, it answers a
-- local account or one that is followed from here, or it is addressed to local accounts. A direct
-- one is not for followers ($5), and only a listed one ($4) is wanted as an answer.
-- $1 author bigint
-- $2 parent bigint
-- $3 addressed bigint[]
-- $4 listed boolean
-- $5 to_followers boolean
-- rows: one
-- plan: no sequential scan
select
  exists (
    select from accounts a where a.id = any ($3::bigint[]) and a.domain is null
  ) or (
    $5::boolean and exists (
      select from follows f join accounts a on a.id = f.account_id
      where f.target_account_id = $1 and a.domain is null
    )
  ) or (
    $4::boolean and exists (
      select
      from statuses p
      join accounts o on o.id = p.account_id
      where p.id = $2::bigint and (
        o.domain is null
        or exists (select from follows f join accounts a on a.id = f.account_id where f.target_account_id = o.id and a.domain is null)
      )
    )
  ) as relevant
