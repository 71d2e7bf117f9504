export { default } from "../meetings/[id]/not-found";
