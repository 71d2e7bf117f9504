export default function NoMeeting() {
  return (
    <p role="alert">
      There is no such meeting. If you have just sent a bot, load the page again
      in a moment.
    </p>
  );
}
