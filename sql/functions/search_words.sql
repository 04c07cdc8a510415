-- How the search for statuses reads texts, for any locale of the database.
-- Punctuation, symbols and spaces outside ASCII become spaces: which of them PostgreSQL takes for
-- letters depends on the locale, and with that of the embedded PostgreSQL it is all of them.
-- Letters, digits, and marks that combine with letters stay.
-- Words of Han, kana, bopomofo, Thai, Lao, Khmer and Burmese are not separated by spaces. Each of
-- their letters, with the marks on it, begins a lexeme that ends with the next letter: 天気です has
-- 天気, 気で, です and す. So every part of a text is found, by lexemes that are far rarer than single
-- letters.
-- Accents make no difference: unaccented_words is café as cafe and Straße as Strasse. The extension
-- does it from a table, in 5 microseconds for 300 letters; normalize() takes 290. Separators must
-- be gone before: it writes « as <<, with which a tag begins.
-- The index statuses_search is built with these functions: a change of their result needs a
-- migration that rebuilds that index.
create extension if not exists unaccent;

-- The letters of these scripts, for a bracket expression.
create or replace function search_letters() returns text
language sql immutable parallel safe
return
  '\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46'
  '\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf'
  '\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081\u108e'
  '\u1780-\u17b3\u17d7\u17dc'
  '\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff'
  '\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff'
  '\ua9e0-\ua9e4\ua9e6-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a\uaa7e\uaa7f'
  '\uf900-\ufaff\uff66-\uff9d'
  '\U0001aff0-\U0001b16f\U00020000-\U0003fffd';

-- The marks on them.
create or replace function search_marks() returns text
language sql immutable parallel safe
return
  '\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece'
  '\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d'
  '\u17b4-\u17d3\u17dd\u302a-\u302f\u3099\u309a\ua9e5\uaa7b-\uaa7d\uff9e\uff9f';

-- Punctuation, symbols, spaces, invisible and private characters outside ASCII, with the selectors
-- and the frames that make emojis.
create or replace function search_separators() returns text
language sql immutable parallel safe
return
  '[\u0080-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u02c2-\u02c5\u02d2-\u02df\u02e5-\u02eb\u02ed'
  '\u02ef-\u02ff\u0375\u037e\u0384\u0385\u0387\u03f6\u0482\u055a-\u055f\u0589-\u058f\u05be\u05c0\u05c3\u05c6\u05f3-\u060f'
  '\u061b-\u061f\u066a-\u066d\u06d4\u06dd\u06de\u06e9\u06fd\u06fe\u0700-\u070f\u07f6-\u07f9\u07fe\u07ff\u0830-\u083e\u085e'
  '\u0888\u0890\u0891\u08e2\u0964\u0965\u0970\u09f2\u09f3\u09fa\u09fb\u09fd\u0a76\u0af0\u0af1\u0b70\u0bf3-\u0bfa\u0c77'
  '\u0c7f\u0c84\u0d4f\u0d79\u0df4\u0e3f\u0e4f\u0e5a\u0e5b\u0f01-\u0f17\u0f1a-\u0f1f\u0f34\u0f36\u0f38\u0f3a-\u0f3d\u0f85'
  '\u0fbe-\u0fc5\u0fc7-\u0fda\u104a-\u104f\u109e\u109f\u10fb\u1360-\u1368\u1390-\u1399\u1400\u166d\u166e\u1680\u169b\u169c'
  '\u16eb-\u16ed\u1735\u1736\u17d4-\u17d6\u17d8-\u17db\u1800-\u180a\u180e\u1940-\u1945\u19de-\u19ff\u1a1e\u1a1f'
  '\u1aa0-\u1aa6\u1aa8-\u1aad\u1b4e\u1b4f\u1b5a-\u1b6a\u1b74-\u1b7f\u1bfc-\u1bff\u1c3b-\u1c3f\u1c7e\u1c7f\u1cc0-\u1cc7'
  '\u1cd3\u1fbd\u1fbf-\u1fc1\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fed-\u1fef\u1ffd-\u206f\u207a-\u207e\u208a-\u208e\u20a0-\u2101'
  '\u2103-\u2106\u2108\u2109\u2114\u2116-\u2118\u211e-\u2123\u2125\u2127\u2129\u212e\u213a\u213b\u2140-\u2144\u214a-\u214d'
  '\u214f\u218a-\u2429\u2440-\u244a\u249c-\u24e9\u2500-\u2775\u2794-\u2bff\u2ce5-\u2cea\u2cf9-\u2cfc\u2cfe\u2cff\u2d70'
  '\u2e00-\u2e2e\u2e30-\u2e5d\u2e80-\u2fd5\u2ff0-\u3004\u3008-\u3020\u3030\u3036\u3037\u303d-\u303f\u309b\u309c\u30a0\u30fb'
  '\u3190\u3191\u3196-\u319f\u31c0-\u31ef\u3200-\u321e\u322a-\u3247\u3250\u3260-\u327f\u328a-\u32b0\u32c0-\u33ff'
  '\u4dc0-\u4dff\ua490-\ua4c6\ua4fe\ua4ff\ua60d-\ua60f\ua673\ua67e\ua6f2-\ua716\ua720\ua721\ua789\ua78a\ua828-\ua82b'
  '\ua836-\ua839\ua874-\ua877\ua8ce\ua8cf\ua8f8-\ua8fa\ua8fc\ua92e\ua92f\ua95f\ua9c1-\ua9cd\ua9de\ua9df\uaa5c-\uaa5f'
  '\uaa77-\uaa79\uaade\uaadf\uaaf0\uaaf1\uab5b\uab6a\uab6b\uabeb\ue000-\uf8ff\ufb29\ufbb2-\ufbd2\ufd3e-\ufd4f\ufd90\ufd91'
  '\ufdc8-\ufdcf\ufdfc-\ufe19\ufe30-\ufe6b\ufeff-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\ufffd'
  '\U00010100-\U00010102\U00010137-\U0001013f\U00010179-\U00010189\U0001018c-\U000101a0\U000101d0-\U000101fc\U0001039f'
  '\U000103d0\U0001056f\U00010857\U00010877\U00010878\U0001091f\U0001093f\U00010a50-\U00010a58\U00010a7f\U00010ac8'
  '\U00010af0-\U00010af6\U00010b39-\U00010b3f\U00010b99-\U00010b9c\U00010d6e\U00010d8e\U00010d8f\U00010ead'
  '\U00010ed0-\U00010ed8\U00010f55-\U00010f59\U00010f86-\U00010f89\U00011047-\U0001104d\U000110bb-\U000110c1\U000110cd'
  '\U00011140-\U00011143\U00011174\U00011175\U000111c5-\U000111c8\U000111cd\U000111db\U000111dd-\U000111df'
  '\U00011238-\U0001123d\U000112a9\U000113d4-\U000113d8\U0001144b-\U0001144f\U0001145a-\U0001145d\U000114c6'
  '\U000115c1-\U000115d7\U00011641-\U00011643\U00011660-\U0001166c\U000116b9\U0001173c-\U0001173f\U0001183b'
  '\U00011944-\U00011946\U000119e2\U00011a3f-\U00011a46\U00011a9a-\U00011a9c\U00011a9e-\U00011aa2\U00011b00-\U00011b09'
  '\U00011be1\U00011c41-\U00011c45\U00011c70\U00011c71\U00011ef7\U00011ef8\U00011f43-\U00011f4f\U00011fd5-\U00011fff'
  '\U00012470-\U00012474\U00012ff1\U00012ff2\U00013430-\U0001343f\U00016a6e\U00016a6f\U00016af5\U00016b37-\U00016b3f'
  '\U00016b44\U00016b45\U00016d6d-\U00016d6f\U00016e97-\U00016e9a\U00016fe2\U0001bc9c\U0001bc9f-\U0001bca3'
  '\U0001cc00-\U0001ccef\U0001ccfa-\U0001cef0\U0001cf50-\U0001cfc3\U0001d000-\U0001d164\U0001d16a-\U0001d16c'
  '\U0001d173-\U0001d17a\U0001d183\U0001d184\U0001d18c-\U0001d1a9\U0001d1ae-\U0001d1ea\U0001d200-\U0001d241\U0001d245'
  '\U0001d300-\U0001d356\U0001d6c1\U0001d6db\U0001d6fb\U0001d715\U0001d735\U0001d74f\U0001d76f\U0001d789\U0001d7a9'
  '\U0001d7c3\U0001d800-\U0001d9ff\U0001da37-\U0001da3a\U0001da6d-\U0001da74\U0001da76-\U0001da83\U0001da85-\U0001da8b'
  '\U0001e14f\U0001e2ff\U0001e5ff\U0001e95e\U0001e95f\U0001ecac\U0001ecb0\U0001ed2e\U0001eef0\U0001eef1'
  '\U0001f000-\U0001f0f5\U0001f10d-\U0001fbef\U0001fbfa\U000e0000-\U000e0fff\U000f0000-\U0010fffd]+';

-- A text for to_tsvector.
create or replace function search_words(text text) returns text
language sql immutable parallel safe
return case
  when octet_length(text) = length(text) then text
  when text ~ ('[' || search_letters() || ']' collate "C") then
    regexp_replace(
      regexp_replace(
        regexp_replace(text, search_separators() collate "C", ' ', 'g'),
        '([' || search_letters() || '][' || search_letters() || search_marks() || ']*)' collate "C", ' \1 ', 'g'
      ),
      '(?<=[' || search_letters() || search_marks() || '])([' || search_letters() || '][' || search_marks() || ']*)' collate "C",
      '\1 \1', 'g'
    )
  else regexp_replace(text, search_separators() collate "C", ' ', 'g')
end;

-- A text in which a library is searched for lexemes, as a whole.
create or replace function unaccented(text text) returns text
language sql stable parallel safe
return case when octet_length(text) = length(text) then text else unaccent(text) end;

-- A text for to_tsvector, without accents.
create or replace function unaccented_words(text text) returns text
language sql stable parallel safe
return case when octet_length(text) = length(text) then text else unaccent(search_words(text)) end;

-- Words and phrases in the syntax of websearch_to_tsquery, for the vectors of these texts. The last
-- letter of a phrase is in the lexeme before it, so it is left out; if there is none before, it may
-- be the beginning of any: 気 finds 気 and 気が.
create or replace function search_query(words text) returns tsquery
language sql stable parallel safe
return case
  when words ~ ('[' || search_letters() || ']' collate "C") then
    regexp_replace(
      regexp_replace(
        websearch_to_tsquery('simple', unaccented_words(words))::text,
        '(''(?:[' || search_letters() || '][' || search_marks() || ']*){2}'') <-> ''[' || search_letters() || '][' || search_marks()
          || ']*''(?! <)' collate "C",
        '\1', 'g'
      ),
      '(''[' || search_letters() || '][' || search_marks() || ']*'')(?! <)' collate "C",
      '\1:*', 'g'
    )::tsquery
  else websearch_to_tsquery('simple', unaccented_words(words))
end;
