-- plain_secrets: secrets of second factors that were stored before they were encrypted.
-- rows: at most 10,000 users
-- plan: users in the order of their keys, once a day
select u.id, u.otp_secret from users u
where u.otp_secret is not null and u.otp_secret not like 'aes:%'
order by u.id
limit 10000
