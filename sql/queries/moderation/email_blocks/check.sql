-- check: whether an address, its domain or one of its mail servers is blocked. Counts the attempt
-- for blocked domains.
-- $1 email text
-- $2 domains text[]
-- $3 ip inet
-- rows: one
-- plan: one look-up for each domain, and one for the address
with matched as (
  select b.id, b.allow_with_approval from email_domain_blocks b where b.domain = any ((select $2::text[])::text[])
), recorded as (
  insert into email_domain_block_attempts as a (block_id, day, ip)
  select matched.id, (now() at time zone 'UTC')::date, $3::inet from matched where $3 is not null
  on conflict (block_id, day, ip) do update set uses = a.uses + 1
)
select
  exists (select from matched where not matched.allow_with_approval)
    or exists (select from canonical_email_blocks b where b.canonical_email_hash = canonical_email_hash($1::text)) as blocked,
  exists (select from matched where matched.allow_with_approval) as needs_approval
