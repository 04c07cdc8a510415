-- The host of a link, which identifies its publisher.
create or replace function url_host(url text) returns text
language sql immutable parallel safe
return lower(substring(url from '^https?://(?:[^/?#@]*@)?([^/?#:]+)'));
