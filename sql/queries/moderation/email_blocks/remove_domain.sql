-- remove_domain: removes the block of an e-mail domain, and those of its mail servers.
-- $1 domain text
-- rows: one when it was blocked
-- plan: no sequential scan
delete from email_domain_blocks b where b.domain = $1 returning b.id
