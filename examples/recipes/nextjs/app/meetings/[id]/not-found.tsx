import { Link } from "../../../components/link";
import { Notice } from "../../../components/notice";
import { button } from "../../../components/styles";

export default function NoMeeting() {
  return (
    <Notice icon="search" title="There is no such meeting.">
      <p>If you have just sent a bot, it is listed in a moment.</p>
      <Link href="/" className={button.quiet}>
        All meetings
      </Link>
    </Notice>
  );
}
