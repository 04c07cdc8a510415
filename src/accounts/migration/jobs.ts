import { moveFollowers } from './move_followers.ts'

export const jobs = [moveFollowers]
