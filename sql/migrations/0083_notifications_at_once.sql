-- E-mails and pushes about the notifications of one statement are enqueued together: for each by
-- itself the two triggers were a third of the work of a mention. Locks notifications for a moment.
--! function enqueue_mail
--! function enqueue_pushes
drop trigger notification_mailed on notifications;
drop trigger notification_pushed on notifications;
create trigger notifications_mailed after insert on notifications referencing new table as added
for each statement execute function enqueue_mail();
create trigger notifications_pushed after insert on notifications referencing new table as added
for each statement execute function enqueue_pushes();
