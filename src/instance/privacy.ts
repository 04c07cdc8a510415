/** When the text below was last changed; update it with each change. */
export const DEFAULT_PRIVACY_POLICY_CHANGED = '2026-11-21T00:00:00+00:00'

/**
 * The data processing of the software itself (Markdown), for servers without a policy of their own.
 */
export const defaultPrivacyPolicy = `
This text describes what the software of %{domain} keeps and why. The people who run %{domain} can replace it with their own.

## What is kept

- **Your account**: the username, e-mail address and password that you signed up with. The password is kept only as a hash that it cannot be read from. Your username, name, picture and profile text are shown to everybody.
- **What you post**: posts with their visibility, pictures and times; whom you follow and who follows you; what you favourite, boost and bookmark. Public and unlisted posts can be read by everybody, followers-only posts by your followers and those you mention, direct posts by those you mention. The administrators can technically read all of them: do not share secrets here.
- **Technical data**: the address and browser that you sign in with, and the applications that you allow, so that you can see and end their access.

## What it is for

To show your posts to those they are meant for, to let you follow others, to send you the mail that you asked for, and to keep out abuse. Nothing is sold or given to advertisers.

## Cookies

One cookie keeps you signed in on the pages of this server. Applications use access tokens instead.

## Your choices

You can change your profile and your posts, take away an application's access, and delete your account at any time.
`
