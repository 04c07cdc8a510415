-- followers_digests: for each host, the exclusive or of the SHA-256 digests of the URIs of a local
-- account's followers there (FEP-8fcf), in bits.
-- $1 account bigint
-- $2 hosts text[]
-- rows: one a server with followers; none for an account with 25000 or more
-- plan: the followers of the account
select host.host, bit_xor(('x' || encode(sha256(convert_to(a.uri, 'UTF8')), 'hex'))::bit(256))::text as bits
from follows f
join accounts a on a.id = f.account_id
cross join lateral substring(a.uri from '^https?://([^/?#]+)') host
where f.target_account_id = $1 and a.domain is not null
  and host.host = any ((select $2::text[])::text[])
  and (select s.followers_count from account_stats s where s.account_id = $1) < 25000
group by host.host
