-- For the accounts of a domain whose handles name its port: a rule for the domain is for them, too.
-- Few accounts have one. Locks writes to accounts while it reads all of them: a second for a
-- million.
create index accounts_by_domain_with_port on accounts (reverse(regexp_replace(domain, '\.*(:[0-9]*)?$', '')) text_pattern_ops)
where domain ~ '[.:][0-9]*$';
