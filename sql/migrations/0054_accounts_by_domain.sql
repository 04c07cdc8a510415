--! no transaction
-- The accounts of a domain and of all below it, and what people lost with a domain.
-- Locks: nobody waits; ten seconds for a million accounts. It may be run again when it was cut off.

-- Read from its end a domain begins with those that it is below.
create index concurrently if not exists accounts_by_domain on accounts (reverse(domain) text_pattern_ops) where domain is not null;
--! then
create index concurrently if not exists severances_by_domain on severances (target_name, created_at) where type = 'domain_block';
