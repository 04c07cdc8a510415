--! no transaction
-- The search finds words with and without their accents, with other lexemes in its index. The index
-- is built again beside the old one, which is used meanwhile: locks neither readers nor writers. A
-- million statuses take some minutes.
--! function status_search_vector
-- What a build that was interrupted has left.
drop index concurrently if exists statuses_search_ccnew;
--! then
reindex index concurrently statuses_search;
