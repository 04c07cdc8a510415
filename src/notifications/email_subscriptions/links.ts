/** The page that asks before a subscription is confirmed. */
export const CONFIRMATION_PATH = '/email_subscriptions/confirmation'
