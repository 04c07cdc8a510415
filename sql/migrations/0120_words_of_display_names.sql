--! no transaction
-- Words of display names by their first characters, for texts that are too short for a trigram: two
-- characters are a whole name in Japanese, Chinese and Korean, and where LC_CTYPE is C, as in
-- embedded databases of earlier releases, pg_trgm sees no letters beyond ASCII. Built beside
-- readers and writers; some seconds for a million accounts.
drop index concurrently if exists accounts_display_name_words;
--! then
create index concurrently accounts_display_name_words on accounts using gin (
  array_to_tsvector(array_remove(string_to_array(translate(lower(left(display_name, 200)), '　・', '  '), ' '), ''))
);
