-- see_terms: records that a user was shown the terms of service; writes nothing when there are no
-- new ones.
-- $1 user bigint
-- rows: none
-- plan: one row by key; all of the small table of terms
update users u set terms_seen_at = now()
where u.id = $1
  and exists (select from terms_of_service t where t.published_at > u.terms_seen_at)
