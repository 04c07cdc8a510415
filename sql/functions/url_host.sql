-- The host of a link, by which it belongs to a publisher.
create or replace function url_host(url text) returns text
language sql immutable parallel safe
return lower(substring(url from '^https?://(?:[^/?#@]*@)?([^/?#:]+)'));
