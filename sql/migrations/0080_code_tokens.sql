-- Which token was issued for an authorization code, so that the token is revoked when the code is used again (RFC 6749, section 4.1.2).
-- Locks: oauth_grants and oauth_tokens for an instant; codes are removed after a day, so the index is small. Codes used before have no token.
alter table oauth_grants add column token_id bigint references oauth_tokens (id) on delete set null;
create index oauth_grants_token on oauth_grants (token_id) where token_id is not null;
