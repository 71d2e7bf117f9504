import { Link } from "../../../components/link";
import { button, notice } from "../../../components/styles";

export default function NoMeeting() {
  return (
    <div className={notice}>
      <p role="alert" className="mb-4">
        There is no such meeting. If you have just sent a bot, it is listed in a
        moment.
      </p>
      <Link href="/" className={button.quiet}>
        All meetings
      </Link>
    </div>
  );
}
